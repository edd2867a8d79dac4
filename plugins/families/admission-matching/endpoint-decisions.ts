import type {AdmissionOperation, AdmissionRequest} from '../../../sdk/index.js';
import {NamedList} from './followed-objects.js';
import type {MatchedRequest} from './request-matcher.js';

/** Changes that are remembered at least: a decision that is further behind is made anew. */
const rememberedChanges = 256;

export interface DecisionParts<T, R> {
  /** Names of all objects that there are. */
  names(): readonly string[];
  /** What one of them has to do with the requests of an endpoint; undefined if nothing, or if it is gone. */
  decide(name: string, request: MatchedRequest): T | undefined;
  /** The decision, from what was found in the order of the names. */
  join(found: readonly T[], request: MatchedRequest): R;
}

interface Decision<T, R> {
  found: NamedList<T>;
  result: R;
  /** How many changes it has taken in. */
  changes: number;
}

/**
 * Caches what holds for all requests of an endpoint and operation, and follows from many objects. Of those that change each is looked at alone, once the endpoint is asked for:
 * one more object does not cost what all of them do.
 */
export class EndpointDecisions<T, R> {
  #decisions = new WeakMap<AdmissionRequest['forms'], Map<AdmissionOperation, Decision<T, R>>>();
  /** Names of the objects that have changed last, in that order. */
  #changed: string[] = [];
  /** Changes before those. */
  #forgotten = 0;
  readonly #parts: DecisionParts<T, R>;

  constructor(parts: DecisionParts<T, R>) {
    this.#parts = parts;
  }

  of(request: MatchedRequest): R {
    const {forms, operation} = request;
    let byOperation = this.#decisions.get(forms);
    if (!byOperation) this.#decisions.set(forms, (byOperation = new Map<AdmissionOperation, Decision<T, R>>()));
    const decision = byOperation.get(operation);
    if (decision && decision.changes >= this.#forgotten) {
      if (decision.changes < this.#changes) this.#bringUp(decision, request);
      return decision.result;
    }
    const found = NamedList.of(this.#parts.names(), (name) => this.#parts.decide(name, request));
    const result = this.#parts.join(found.values, request);
    byOperation.set(operation, {found, result, changes: this.#changes});
    return result;
  }

  /** An object has come, changed or gone. */
  changed(name: string): void {
    this.#changed.push(name);
    if (this.#changed.length < 2 * rememberedChanges) return;
    this.#changed = this.#changed.slice(rememberedChanges);
    this.#forgotten += rememberedChanges;
  }

  /** All are made anew. */
  clear(): void {
    this.#decisions = new WeakMap();
  }

  get #changes(): number {
    return this.#forgotten + this.#changed.length;
  }

  #bringUp(decision: Decision<T, R>, request: MatchedRequest): void {
    const names = new Set(this.#changed.slice(decision.changes - this.#forgotten));
    const before = decision.found;
    for (const name of names) decision.found = decision.found.with(name, this.#parts.decide(name, request));
    if (decision.found !== before) decision.result = this.#parts.join(decision.found.values, request);
    decision.changes = this.#changes;
  }
}
