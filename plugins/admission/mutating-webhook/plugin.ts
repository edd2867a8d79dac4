import {
  admission,
  inject,
  internalError,
  jsonText,
  StatusError,
  type AdmissionController,
  type AdmissionRequest,
  type JsonValue,
} from '../../../sdk/index.js';
import {Reinvocation} from '../../families/admission-matching/reinvocation.js';
import type {Candidate} from '../../families/admission-webhooks/followed-hooks.js';
import type {Hook} from '../../families/admission-webhooks/hook.js';
import {WebhookController, WebhookServices} from '../../families/admission-webhooks/webhook-controller.js';

/** A candidate with its position among all webhooks of its type when the request came. */
interface PlacedCandidate extends Candidate {
  readonly index: number;
}

/**
 * Calls the matching webhooks one after another; each sees the object as changed by the previous ones. If one has changed it, all mutating
 * controllers run once more, and with them the webhooks that ask for reinvocation.
 */
@admission({operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'], order: 900, sideEffects: 'none-on-dry-run'})
export class MutatingAdmissionWebhook extends WebhookController implements AdmissionController {
  readonly #keys: {readonly mutation: string; readonly patch: string; readonly failedOpen: string};
  readonly #reinvocations = new WeakMap<AdmissionRequest, Reinvocation<PlacedCandidate, Hook>>();

  constructor(@inject(WebhookServices) services: WebhookServices) {
    super(services, {
      name: 'MutatingAdmissionWebhook',
      kind: 'MutatingWebhookConfiguration',
      plural: 'mutatingwebhookconfigurations',
      type: 'admit',
    });
    const domain = services.naming.group('webhook.admission.orch');
    this.#keys = {mutation: `mutation.${domain}`, patch: `patch.${domain}`, failedOpen: `failed-open.mutating.${domain}`};
  }

  admit(request: AdmissionRequest): false | Promise<void | false> {
    // Webhooks that were not called in the first round are not called in the second either.
    const known = request.round === 1 ? this.#reinvocations.get(request) : undefined;
    const candidates = request.round === 1 ? (known?.candidates ?? []) : this.hooks.for(request);
    if (candidates.length === 0) return false;
    const reinvocation = known ?? new Reinvocation<PlacedCandidate, Hook>(this.#placed(candidates));
    this.#reinvocations.set(request, reinvocation);
    return this.#askInTurn(request, reinvocation);
  }

  /** Other configurations may come and go while a request is under way. */
  #placed(candidates: readonly Candidate[]): PlacedCandidate[] {
    return candidates.map((candidate) => ({...candidate, index: this.hooks.positionOf(candidate.hook)}));
  }

  /** Returns `false` if no webhook has changed the object. */
  async #askInTurn(request: AdmissionRequest, reinvocation: Reinvocation<PlacedCandidate, Hook>): Promise<void | false> {
    if (request.round === 1) reinvocation.beginSecondRound(request);
    const isAsked = this.asker(request);
    let hasChanged = false;
    for (const candidate of reinvocation.candidates) {
      const {hook} = candidate;
      if (!(await isAsked(candidate))) continue;
      if (request.round === 1 && !reinvocation.isDue(hook)) continue;
      if (await this.#ask(request, candidate)) {
        hasChanged = true;
        reinvocation.objectChanged();
        request.runAgain();
      }
      if (hook.isReinvoked) reinvocation.wasCalled(hook);
    }
    reinvocation.endRound(request);
    return hasChanged ? undefined : false;
  }

  /** Returns whether the webhook has changed the object. */
  async #ask(request: AdmissionRequest, candidate: PlacedCandidate): Promise<boolean> {
    const {hook, index} = candidate;
    const {configuration, name: webhook} = hook;
    const place = `round_${request.round}_index_${index}`;
    let mutated = false;
    try {
      const outcome = await this.calls.ask(request, candidate, undefined, async ({patch}) => {
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
