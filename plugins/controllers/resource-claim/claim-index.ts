import type {ApiObject} from '../../../sdk/index.js';
import {owningPod} from './claim-of-pod.js';

/** The claims that were made for pods, by the pod and its entry: so that none is made twice when the status of the pod could not be written. */
export class ClaimIndex {
  readonly #claims = new Map<string, Map<string, string>>();
  readonly #annotation: string;

  /** @param annotation in which a claim says for which entry it is */
  constructor(annotation: string) {
    this.#annotation = annotation;
  }

  add(claim: ApiObject): void {
    const [uid, entry] = this.#placeOf(claim);
    if (uid === undefined || entry === undefined) return;
    const claims = this.#claims.get(uid) ?? new Map<string, string>();
    this.#claims.set(uid, claims);
    // There should be no second one; if there is, it goes with the pod.
    if (!claims.has(entry)) claims.set(entry, claim.metadata.name!);
  }

  remove(claim: ApiObject): void {
    const [uid = '', entry = ''] = this.#placeOf(claim);
    const claims = this.#claims.get(uid);
    if (claims?.get(entry) === claim.metadata.name) claims?.delete(entry);
    if (claims?.size === 0) this.#claims.delete(uid);
  }

  find(podUid: string, entry: string): string | undefined {
    return this.#claims.get(podUid)?.get(entry);
  }

  #placeOf(claim: ApiObject): [uid: string | undefined, entry: string | undefined] {
    return [owningPod(claim)?.uid, claim.metadata.annotations?.[this.#annotation]];
  }
}
