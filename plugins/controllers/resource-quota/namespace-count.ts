import {
  formatQuantity,
  isNotFound,
  parseQuantity,
  quantityAmount,
  StatusError,
  type ApiObject,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import {addAmounts, onlyNamed, type Amounts} from '../../families/quota/amounts.js';
import type {QuotaEvaluator} from '../../families/quota/evaluator.js';
import {scopesOf, type ResourceQuota} from '../../families/quota/quota-object.js';

/** A type whose objects are counted. */
export interface CountedType {
  readonly ref: ResourceRef;
  readonly evaluator: QuotaEvaluator;
}

const pageSize = 500;

/** What a quota counts of one object. */
export function countedOf(quota: ResourceQuota, evaluator: QuotaEvaluator, object: ApiObject, hard: ReadonlySet<string>): Amounts {
  if (!scopesOf(quota).every((scope) => evaluator.isInScope(scope, object))) return {};
  return onlyNamed(evaluator.usage(object), hard);
}

/**
 * Counts what there is in a namespace, for each of its quotas: by name of the quota, what is used of everything in `spec.hard` that the types are about.
 */
export async function countNamespace(
  resources: ResourceClient,
  namespace: string,
  quotas: readonly ResourceQuota[],
  types: readonly CountedType[],
): Promise<ReadonlyMap<string, Amounts>> {
  const counts = new Map(quotas.map(({metadata}) => [metadata.name!, {} as Record<string, string>]));
  const bounds = quotas.map((quota) => ({quota, hard: new Set(Object.keys(quota.spec?.hard ?? {}))}));
  for (const {ref, evaluator} of types) {
    const concerned = bounds.filter(({hard}) => [...hard].some((name) => evaluator.counts(name)));
    if (concerned.length === 0) continue;
    for (const {quota, hard} of concerned) {
      const zeros = [...hard].filter((name) => evaluator.counts(name)).map((name) => [name, '0']);
      Object.assign(counts.get(quota.metadata.name!)!, Object.fromEntries(zeros));
    }
    for await (const object of objectsOf(resources, ref, namespace)) {
      for (const {quota, hard} of concerned) {
        const name = quota.metadata.name!;
        counts.set(name, addAmounts(counts.get(name)!, countedOf(quota, evaluator, object, hard)));
      }
    }
  }
  return counts;
}

/** All objects of a type, page by page; none of a type that has gone. */
async function* objectsOf(resources: ResourceClient, ref: ResourceRef, namespace: string): AsyncGenerator<ApiObject> {
  for (let token: string | undefined; ;) {
    let page;
    try {
      page = await resources.list(ref, namespace, {limit: pageSize, ...(token ? {continue: token} : {})});
    } catch (error) {
      if (isNotFound(error)) return;
      // The snapshot is gone: what was counted so far is of another moment.
      if (token && StatusError.is(error) && error.code === 410) throw new Error('counting took too long', {cause: error});
      throw error;
    }
    yield* page.items;
    token = page.metadata.continue;
    if (!token) return;
  }
}

/**
 * What the status of a quota should say is used: what was counted, and of what has been charged besides no more than what may still be on its way.
 *
 * @param pending what may have been on its way when the count began, in billionths
 */
export function usedAfter(quota: ResourceQuota, counted: Amounts, pending: ReadonlyMap<string, bigint>): {used: Amounts; held: boolean} {
  const used: Record<string, string> = {};
  let held = false;
  for (const name of Object.keys(quota.spec?.hard ?? {})) {
    const charged = quota.status?.used?.[name];
    const found = Object.hasOwn(counted, name) ? counted[name]! : undefined;
    if (found === undefined) {
      // Nothing is known about what it counts.
      if (charged !== undefined) used[name] = charged;
      continue;
    }
    const least = quantityAmount(found);
    const now = quantityAmount(charged);
    const most = least + (charged === undefined ? 0n : (pending.get(name) ?? 0n));
    if (now <= least) used[name] = now === least ? (charged ?? found) : formatAs(found, charged === undefined ? least : most);
    else if (now <= most) used[name] = charged!;
    else used[name] = formatAs(found, most);
    if (quantityAmount(used[name]) > least) held = true;
  }
  return {used, held};
}

function formatAs(like: string, amount: bigint): string {
  return quantityAmount(like) === amount ? like : formatQuantity({amount, family: parseQuantity(like)?.family ?? 'decimal'});
}
