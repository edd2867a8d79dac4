import {
  inject,
  injectable,
  Tokens,
  type AdmissionConfigurations,
  type AdmissionEvents,
  type Expressions,
  type Logger,
  type NamingProfile,
  type ResourceClient,
  type WebhookCaller,
} from '../../../sdk/index.js';
import {NamespaceLabels} from '../admission-matching/namespace-labels.js';
import {compileHooks} from './compile-hooks.js';
import {credentialsOf} from './credentials-file.js';
import {FollowedHooks} from './followed-hooks.js';
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
    @inject(Tokens.Expressions) readonly expressions: Expressions,
    @inject(Tokens.Logger) readonly logger: Logger,
  ) {}
}

export interface WebhookControllerOptions {
  /** Name of the admission controller. */
  readonly name: string;
  /** The type of its configurations. */
  readonly plural: string;
  readonly type: HookCallSettings['type'];
}

/** The common part of the mutating and the validating webhook controller. */
export abstract class WebhookController {
  protected readonly hooks: FollowedHooks;
  protected readonly calls: HookCalls;
  protected readonly namespaces: NamespaceLabels;
  readonly #readCredentials: () => Promise<HookCredentials>;
  #credentials = noCredentials;

  constructor(services: WebhookServices, {name, plural, type}: WebhookControllerOptions) {
    const {resources, naming, caller, events, configurations, expressions, logger} = services;
    this.#readCredentials = () => credentialsOf(configurations, name, naming);
    this.hooks = new FollowedHooks(resources, {
      plural,
      compile: (object) => compileHooks(object, {naming, credentials: this.#credentials, expressions, resources}),
      failed: (error) => logger.warn({err: error}, `${plural} cannot be watched; retrying`),
    });
    this.calls = new HookCalls({caller, naming, logger, events, type});
    this.namespaces = new NamespaceLabels(resources);
  }

  /** @throws Error with a one-sentence message if the operator's configuration is invalid */
  async start(): Promise<void> {
    this.#credentials = await this.#readCredentials();
    await this.hooks.start();
  }

  stop(): Promise<void> {
    return this.hooks.stop();
  }
}
