import {
  admission,
  inject,
  Tokens,
  type AdmissionConfigurations,
  type AdmissionController,
  type AdmissionEvents,
  type AdmissionForm,
  type AdmissionRequest,
  type Expressions,
  type Logger,
  type NamingProfile,
  type ResourceClient,
  type WebhookCaller,
} from '../../../sdk/index.js';
import {NamespaceLabels} from '../../families/admission-matching/namespace-labels.js';
import {compileHooks} from '../../families/admission-webhooks/compile-hooks.js';
import {FollowedHooks, type Candidate} from '../../families/admission-webhooks/followed-hooks.js';
import {isAsked} from '../../families/admission-webhooks/is-asked.js';
import {HookCalls} from '../../families/admission-webhooks/hook-calls.js';
import {credentialsOf} from '../../families/admission-webhooks/credentials-file.js';
import {noCredentials, type HookCredentials} from '../../families/admission-webhooks/hook-credentials.js';
import {reviewedObjects, type ReviewedObjects} from '../../families/admission-webhooks/review.js';

/** Calls all matching webhooks in parallel, after all mutations; a single rejection is enough. */
@admission({operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'], order: 920, sideEffects: 'none-on-dry-run'})
export class ValidatingAdmissionWebhook implements AdmissionController {
  readonly #readCredentials: () => Promise<HookCredentials>;
  #credentials = noCredentials;
  readonly #hooks: FollowedHooks;
  readonly #calls: HookCalls;
  readonly #namespaces: NamespaceLabels;
  readonly #failedOpenKey: string;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Webhooks) caller: WebhookCaller,
    @inject(Tokens.AdmissionEvents) events: AdmissionEvents,
    @inject(Tokens.AdmissionConfigurations) configurations: AdmissionConfigurations,
    @inject(Tokens.Expressions) expressions: Expressions,
    @inject(Tokens.Logger) logger: Logger,
  ) {
    this.#readCredentials = () => credentialsOf(configurations, 'ValidatingAdmissionWebhook', naming);
    this.#hooks = new FollowedHooks(resources, {
      plural: 'validatingwebhookconfigurations',
      compile: (object) => compileHooks(object, {naming, credentials: this.#credentials, expressions}),
      failed: (error) => logger.warn({err: error}, 'configurations of validating webhooks cannot be followed; trying again'),
    });
    this.#calls = new HookCalls({caller, naming, logger, events, type: 'validating'});
    this.#namespaces = new NamespaceLabels(resources);
    this.#failedOpenKey = `failed-open.validating.${naming.group('webhook.admission.orch')}`;
  }

  /** @throws Error in one sentence if the operator's configuration is invalid */
  async start(): Promise<void> {
    this.#credentials = await this.#readCredentials();
    await this.#hooks.start();
  }

  stop(): Promise<void> {
    return this.#hooks.stop();
  }

  validate(request: AdmissionRequest): void | Promise<void> {
    const candidates = this.#hooks.for(request);
    return candidates.length === 0 ? undefined : this.#askAll(request, candidates);
  }

  async #askAll(request: AdmissionRequest, candidates: readonly Candidate[]): Promise<void> {
    const chosen: Candidate[] = [];
    for (const candidate of candidates) if (await isAsked(request, candidate, this.#namespaces)) chosen.push(candidate);
    if (chosen.length === 0) return;
    const shown = new Map<AdmissionForm, ReviewedObjects>();
    for (const {form} of chosen) if (!shown.has(form)) shown.set(form, await reviewedObjects(request, form));
    const results = await Promise.allSettled(chosen.map((candidate, index) => this.#ask(request, candidate, shown, index)));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  async #ask(
    request: AdmissionRequest,
    candidate: Candidate,
    shown: ReadonlyMap<AdmissionForm, ReviewedObjects>,
    index: number,
  ): Promise<void> {
    const {failedOpen} = await this.#calls.ask(request, candidate, shown.get(candidate.form));
    if (failedOpen) request.annotate(`${this.#failedOpenKey}/round_0_index_${index}`, candidate.hook.name);
  }
}
