import type {AdmissionOperation, AdmissionRequest} from '../../../sdk/index.js';
import type {MatchedRequest} from './request-matcher.js';

/** Caches what holds for all requests of an endpoint and operation. */
export class EndpointDecisions<T> {
  #decisions = new WeakMap<AdmissionRequest['forms'], Map<AdmissionOperation, T>>();
  readonly #decide: (request: MatchedRequest) => T;

  constructor(decide: (request: MatchedRequest) => T) {
    this.#decide = decide;
  }

  of(request: MatchedRequest): T {
    const {forms, operation} = request;
    let byOperation = this.#decisions.get(forms);
    if (!byOperation) this.#decisions.set(forms, (byOperation = new Map<AdmissionOperation, T>()));
    let found = byOperation.get(operation);
    if (found === undefined) byOperation.set(operation, (found = this.#decide(request)));
    return found;
  }

  clear(): void {
    this.#decisions = new WeakMap();
  }
}
