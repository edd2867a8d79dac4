import {
  admission,
  inject,
  internalError,
  jsonText,
  StatusError,
  Tokens,
  type AdmissionConfigurations,
  type AdmissionController,
  type AdmissionEvents,
  type AdmissionRequest,
  type Expressions,
  type JsonValue,
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
import {Reinvocation} from './reinvocation.js';

/**
 * Calls the matching webhooks one after another; each sees the object as changed by the previous ones. If one has changed it, all mutating
 * controllers run once more, and with them the webhooks that ask for reinvocation.
 */
@admission({operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'], order: 900, sideEffects: 'none-on-dry-run'})
export class MutatingAdmissionWebhook implements AdmissionController {
  readonly #readCredentials: () => Promise<HookCredentials>;
  #credentials = noCredentials;
  readonly #hooks: FollowedHooks;
  readonly #calls: HookCalls;
  readonly #namespaces: NamespaceLabels;
  readonly #keys: {readonly mutation: string; readonly patch: string; readonly failedOpen: string};
  readonly #reinvocations = new WeakMap<AdmissionRequest, Reinvocation>();

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Webhooks) caller: WebhookCaller,
    @inject(Tokens.AdmissionEvents) events: AdmissionEvents,
    @inject(Tokens.AdmissionConfigurations) configurations: AdmissionConfigurations,
    @inject(Tokens.Expressions) expressions: Expressions,
    @inject(Tokens.Logger) logger: Logger,
  ) {
    this.#readCredentials = () => credentialsOf(configurations, 'MutatingAdmissionWebhook', naming);
    this.#hooks = new FollowedHooks(resources, {
      plural: 'mutatingwebhookconfigurations',
      compile: (object) => compileHooks(object, {naming, credentials: this.#credentials, expressions}),
      failed: (error) => logger.warn({err: error}, 'configurations of mutating webhooks cannot be followed; trying again'),
    });
    this.#calls = new HookCalls({caller, naming, logger, events, type: 'admit'});
    this.#namespaces = new NamespaceLabels(resources);
    const domain = naming.group('webhook.admission.orch');
    this.#keys = {mutation: `mutation.${domain}`, patch: `patch.${domain}`, failedOpen: `failed-open.mutating.${domain}`};
  }

  /** @throws Error in one sentence if the operator's configuration is invalid */
  async start(): Promise<void> {
    this.#credentials = await this.#readCredentials();
    await this.#hooks.start();
  }

  stop(): Promise<void> {
    return this.#hooks.stop();
  }

  admit(request: AdmissionRequest): false | Promise<void | false> {
    // Webhooks that were not called in the first round are not called in the second either.
    const known = request.round === 1 ? this.#reinvocations.get(request) : undefined;
    const candidates = request.round === 1 ? (known?.candidates ?? []) : this.#hooks.for(request);
    if (candidates.length === 0) return false;
    const reinvocation = known ?? new Reinvocation(candidates);
    this.#reinvocations.set(request, reinvocation);
    return this.#askInTurn(request, reinvocation);
  }

  /** Returns `false` if no webhook has changed the object. */
  async #askInTurn(request: AdmissionRequest, reinvocation: Reinvocation): Promise<void | false> {
    if (request.round === 1) reinvocation.beginSecondRound(request);
    let hasChanged = false;
    for (const candidate of reinvocation.candidates) {
      const {hook} = candidate;
      if (!(await isAsked(request, candidate, this.#namespaces))) continue;
      if (request.round === 1 && !reinvocation.isDue(hook)) continue;
      if (await this.#ask(request, candidate)) {
        hasChanged = true;
        reinvocation.objectChanged();
        request.runAgain();
      }
      reinvocation.wasCalled(hook);
    }
    reinvocation.endRound(request);
    return hasChanged ? undefined : false;
  }

  /** Returns whether the webhook has changed the object. */
  async #ask(request: AdmissionRequest, candidate: Candidate): Promise<boolean> {
    const {hook, index} = candidate;
    const {configuration, name: webhook} = hook;
    const place = `round_${request.round}_index_${index}`;
    let mutated = false;
    try {
      const outcome = await this.#calls.ask(request, candidate, undefined, async ({patch}) => {
        if (patch === undefined) return;
        mutated = await this.#apply(request, candidate, patch);
        request.annotate(`${this.#keys.patch}/${place}`, jsonText({configuration, webhook, patch, patchType: 'JSONPatch'}), 'Request');
      });
      if (outcome.failedOpen) request.annotate(`${this.#keys.failedOpen}/${place}`, webhook);
    } finally {
      request.annotate(`${this.#keys.mutation}/${place}`, jsonText({configuration, webhook, mutated}));
    }
    return mutated;
  }

  /**
   * @throws StatusError 500 for a patch that is invalid or cannot be applied, which is not the client's mistake; 422 if the object no
   * longer matches its schema
   */
  async #apply(request: AdmissionRequest, {hook, form}: Candidate, patch: JsonValue): Promise<boolean> {
    const named = `admission webhook ${JSON.stringify(hook.name)}`;
    if (!request.object || request.operation === 'CONNECT')
      throw internalError(`${named} attempted to modify the object, which is not supported for this operation`);
    try {
      return await request.patch(patch, form);
    } catch (error) {
      if (StatusError.is(error) && error.code !== 422)
        throw internalError(`${named}: its patch cannot be applied: ${error.message}`, {cause: error});
      throw error;
    }
  }
}
