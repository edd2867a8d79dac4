import {
  inject,
  injectable,
  taskOf,
  Tokens,
  type AccessReviewer,
  type AdmissionConfigurations,
  type AdmissionEvents,
  type AdmissionRequest,
  type ApiObject,
  type Expressions,
  type FeatureGates,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
  type WebhookCaller,
} from '../../../sdk/index.js';
import type {StaticManifests} from '../admission-manifests/static-manifests.js';
import {NamespaceLabels} from '../admission-matching/namespace-labels.js';
import {conditionCounters} from '../admission-policies/condition-metrics.js';
import type {PolicyScopes} from '../admission-policies/policy-scopes.js';
import type {RequestValues} from '../admission-policies/request-values.js';
import {compileHooks} from './compile-hooks.js';
import {readWebhookConfiguration} from './credentials-file.js';
import {FollowedHooks, type Candidate} from './followed-hooks.js';
import type {HookParts} from './hook.js';
import {HookCalls, type HookCallSettings} from './hook-calls.js';
import {noCredentials, type HookCredentials} from './hook-credentials.js';

/** What the controllers that call webhooks need from the server. */
@injectable()
export class WebhookServices {
  constructor(
    @inject(Tokens.Resources) readonly resources: ResourceClient,
    @inject(Tokens.Naming) readonly naming: NamingProfile,
    @inject(Tokens.Webhooks) readonly caller: WebhookCaller,
    @inject(Tokens.AdmissionEvents) readonly events: AdmissionEvents,
    @inject(Tokens.AdmissionConfigurations) readonly configurations: AdmissionConfigurations,
    @inject(Tokens.FeatureGates) readonly gates: FeatureGates,
    @inject(Tokens.Expressions) readonly expressions: Expressions,
    @inject(Tokens.Access) readonly access: AccessReviewer,
    @inject(Tokens.Metrics) readonly metrics: Metrics,
    @inject(Tokens.Logger) readonly logger: Logger,
  ) {}
}

export interface WebhookControllerOptions {
  /** Name of the admission controller. */
  readonly name: string;
  /** The type of its configurations. */
  readonly plural: string;
  readonly type: HookCallSettings['type'];
  /** Of its configurations. */
  readonly kind: string;
}

/** The common part of the mutating and the validating webhook controller. */
export abstract class WebhookController {
  protected readonly hooks: FollowedHooks;
  protected readonly calls: HookCalls;
  readonly #namespaces: NamespaceLabels;
  readonly #services: WebhookServices;
  /** What match conditions refer to; loaded for the first that is evaluated. */
  #scopes: Promise<PolicyScopes> | undefined;
  readonly #options: WebhookControllerOptions;
  readonly #parts: (isStatic: boolean) => HookParts;
  #credentials: HookCredentials = noCredentials;
  #manifests: StaticManifests | undefined;

  constructor(services: WebhookServices, options: WebhookControllerOptions) {
    const {plural, type} = options;
    this.#options = options;
    const {resources, naming, caller, events, metrics, logger} = services;
    this.#services = services;
    const counters = conditionCounters(metrics);
    this.#parts = (isStatic) => ({
      naming,
      credentials: this.#credentials,
      scopes: () => this.#loadScopes(),
      conditionCounter: (webhook) => counters({name: webhook, kind: 'webhook', type}),
      isStatic,
    });
    this.hooks = new FollowedHooks(resources, {
      plural,
      compile: (object) => compileHooks(object, this.#parts(false)),
      failed: (error) => logger.warn({err: error}, `${plural} cannot be watched; retrying`),
    });
    this.calls = new HookCalls({caller, naming, logger, events, type});
    this.#namespaces = new NamespaceLabels(resources);
  }

  /**
   * Says which of the webhooks whose rules match a request are to be called, considering their selectors and match conditions: for one round of it.
   *
   * @returns throws a StatusError if that cannot be said
   */
  protected asker(request: AdmissionRequest): (candidate: Candidate) => Promise<boolean> {
    let values: Promise<RequestValues> | undefined;
    const {resources} = this.#services;
    return async ({hook, form}) => {
      const selected = hook.matcher.selects(request, this.#namespaces);
      if (!(selected instanceof Promise ? await selected : selected)) return false;
      if (hook.conditions.isEmpty) return true;
      const work = {task: taskOf(resources, 'request', 'match conditions'), signal: request.signal};
      return hook.conditions.hold(request, form, await (values ??= this.#valuesOf(request)), work);
    };
  }

  async #valuesOf(request: AdmissionRequest): Promise<RequestValues> {
    const {access, resources, gates} = this.#services;
    const {RequestValues} = await import('../admission-policies/request-values.js');
    return new RequestValues(request, {
      scopes: await this.#loadScopes(),
      access,
      resources,
      areChecksDear: gates.enabled('StrictCostEnforcementForWebhooks'),
    });
  }

  #loadScopes(): Promise<PolicyScopes> {
    return (this.#scopes ??= import('../admission-policies/policy-scopes.js').then(({PolicyScopes}) =>
      PolicyScopes.load(this.#services.expressions),
    ));
  }

  /** @throws Error with a one-sentence message if the operator's configuration is invalid */
  async start(): Promise<void> {
    const {configurations, naming, gates} = this.#services;
    const {name} = this.#options;
    const {credentials, folder} = await readWebhookConfiguration(configurations.get(name), name, naming, gates);
    this.#credentials = credentials;
    if (folder !== undefined) await this.#startManifests(folder);
    await this.hooks.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.hooks.stop(), this.#manifests?.stop()]);
  }

  async #startManifests(folder: string): Promise<void> {
    const {name: plugin, kind, plural} = this.#options;
    const [{StaticManifests}, {webhookManifests}] = await Promise.all([
      import('../admission-manifests/static-manifests.js'),
      import('../admission-manifests/webhook-manifests.js'),
    ]);
    const use = {
      plugin,
      kinds: webhookManifests(kind, plural),
      use: (objects: ReadonlyMap<string, readonly ApiObject[]>) =>
        this.hooks.useStatic((objects.get(kind) ?? []).flatMap((object) => compileHooks(object, this.#parts(true)))),
    };
    this.#manifests = new StaticManifests(folder, use, this.#services);
    await this.#manifests.start('webhook');
  }
}
