import {admission, inject, type AdmissionController, type AdmissionForm, type AdmissionRequest} from '../../../sdk/index.js';
import type {Candidate} from '../../families/admission-webhooks/followed-hooks.js';
import {reviewedObjects, type ReviewedObjects} from '../../families/admission-webhooks/review.js';
import {WebhookController, WebhookServices} from '../../families/admission-webhooks/webhook-controller.js';

/** Calls all matching webhooks in parallel, after all mutations; a single rejection is enough. */
@admission({operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'], order: 920, sideEffects: 'none-on-dry-run'})
export class ValidatingAdmissionWebhook extends WebhookController implements AdmissionController {
  readonly #failedOpenKey: string;

  constructor(@inject(WebhookServices) services: WebhookServices) {
    super(services, {
      name: 'ValidatingAdmissionWebhook',
      kind: 'ValidatingWebhookConfiguration',
      plural: 'validatingwebhookconfigurations',
      type: 'validating',
    });
    this.#failedOpenKey = `failed-open.validating.${services.naming.group('webhook.admission.orch')}`;
  }

  validate(request: AdmissionRequest): void | Promise<void> {
    const candidates = this.hooks.for(request);
    return candidates.length === 0 ? undefined : this.#askAll(request, candidates);
  }

  async #askAll(request: AdmissionRequest, candidates: readonly Candidate[]): Promise<void> {
    const isAsked = this.asker(request);
    const chosen: Candidate[] = [];
    for (const candidate of candidates) if (await isAsked(candidate)) chosen.push(candidate);
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
    const {failedOpen} = await this.calls.ask(request, candidate, shown.get(candidate.form));
    if (failedOpen) request.annotate(`${this.#failedOpenKey}/round_0_index_${index}`, candidate.hook.name);
  }
}
