import type {ApiObject, ObjectCache, ResourceRef} from '../../../sdk/index.js';
import {objectKey, splitObjectKey} from '../../../sdk/controllers/index.js';
import type {LeaseCandidate} from '../../../sdk/types/unchecked/coordination/v1beta1.js';
import {readCandidate, type Candidate} from './candidate.js';

/** Which candidates there are for each lease. Keeps their names alone: what they say is read from the server's cache. */
export class CandidateIndex {
  readonly #cache: ObjectCache;
  readonly #ref: ResourceRef;
  readonly #candidates = new Map<string, Set<string>>();

  constructor(cache: ObjectCache, ref: ResourceRef) {
    this.#cache = cache;
    this.#ref = ref;
  }

  /** Whether a lease has candidates. @param lease its key, as `objectKey` makes it */
  has(lease: string): boolean {
    return this.#candidates.has(lease);
  }

  /** @returns the key of the lease that it is a candidate for */
  add(candidate: ApiObject): string {
    const lease = leaseOf(candidate);
    const names = this.#candidates.get(lease);
    const {name = ''} = candidate.metadata;
    if (names) names.add(name);
    else this.#candidates.set(lease, new Set([name]));
    return lease;
  }

  /** @returns the key of the lease that it was a candidate for */
  remove(candidate: ApiObject): string {
    const lease = leaseOf(candidate);
    this.#forget(lease, candidate.metadata.name ?? '');
    return lease;
  }

  /** The candidates of a lease, by name. */
  async of(lease: string): Promise<Candidate[]> {
    const [namespace] = splitObjectKey(lease);
    const found: Candidate[] = [];
    for (const name of [...(this.#candidates.get(lease) ?? [])].sort()) {
      const kept = this.#cache.find(this.#ref, namespace, name);
      const object = kept && ((await this.#cache.read(this.#ref, kept)) as LeaseCandidate);
      // Its deletion may have gone unnoticed, and another one may have come in its place.
      if (object && leaseOf(object as ApiObject) === lease) found.push(readCandidate(object));
      else this.#forget(lease, name);
    }
    return found;
  }

  #forget(lease: string, name: string): void {
    const names = this.#candidates.get(lease);
    if (names?.delete(name) && names.size === 0) this.#candidates.delete(lease);
  }
}

function leaseOf(candidate: ApiObject): string {
  const {metadata, spec} = candidate as LeaseCandidate;
  return objectKey({metadata: {namespace: metadata.namespace ?? '', name: spec?.leaseName ?? ''}});
}
