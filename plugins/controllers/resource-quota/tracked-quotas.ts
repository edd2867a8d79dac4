import type {ApiObject} from '../../../sdk/index.js';
import {sameAmounts} from '../../families/quota/amounts.js';
import type {ResourceQuota} from '../../families/quota/quota-object.js';
import {ChargeLedger} from './charge-ledger.js';

/** A quota as last reported by the watch. */
export interface TrackedQuota {
  quota: ResourceQuota;
  readonly ledger: ChargeLedger;
  /** The last count would have lowered the usage further, except for charges that may be pending. */
  held: boolean;
}

/** All quotas, by namespace and name. */
export class TrackedQuotas {
  readonly #namespaces = new Map<string, Map<string, TrackedQuota>>();

  readonly #settleMillis: number;

  constructor(settleMillis: number) {
    this.#settleMillis = settleMillis;
  }

  get namespaces(): Iterable<string> {
    return this.#namespaces.keys();
  }

  *all(): Generator<TrackedQuota> {
    for (const quotas of this.#namespaces.values()) yield* quotas.values();
  }

  of(namespace: string): readonly TrackedQuota[] {
    return [...(this.#namespaces.get(namespace)?.values() ?? [])];
  }

  /** Processes a state of a quota. Returns whether its limits are new. */
  observe(object: ApiObject, now: number): boolean {
    const quota = object as ResourceQuota;
    const {namespace = '', name = '', uid} = quota.metadata;
    const quotas = this.#namespaces.get(namespace) ?? new Map<string, TrackedQuota>();
    this.#namespaces.set(namespace, quotas);
    let tracked = quotas.get(name);
    const isNew = tracked?.quota.metadata.uid !== uid;
    if (!tracked || isNew) {
      tracked = {quota, ledger: new ChargeLedger(this.#settleMillis), held: false};
      quotas.set(name, tracked);
    }
    tracked.quota = quota;
    tracked.ledger.observe(quota.status?.used, now);
    return isNew || !sameAmounts(quota.spec?.hard ?? {}, quota.status?.hard ?? {});
  }

  /** After a list: changes of quotas in the meantime are unknown. */
  distrust(now: number): void {
    for (const {ledger} of this.all()) ledger.distrust(now);
  }

  remove({metadata}: ApiObject): void {
    const quotas = this.#namespaces.get(metadata.namespace ?? '');
    if (quotas?.get(metadata.name!)?.quota.metadata.uid !== metadata.uid) return;
    quotas?.delete(metadata.name!);
    if (quotas?.size === 0) this.#namespaces.delete(metadata.namespace ?? '');
  }
}
