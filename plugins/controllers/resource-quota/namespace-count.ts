import {
  formatQuantity,
  isNotFound,
  pagesOf,
  parseQuantity,
  quantityAmount,
  StatusError,
  type ApiObject,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import {addAmounts} from '../../families/pods/resource-amounts.js';
import {onlyNamed, type Amounts} from '../../families/quota/amounts.js';
import type {QuotaEvaluator} from '../../families/quota/evaluator.js';
import {scopesOf, type ResourceQuota} from '../../families/quota/quota-object.js';

/** A type whose objects are counted. */
export interface CountedType {
  readonly ref: ResourceRef;
  readonly evaluator: QuotaEvaluator;
}

/** What a quota counts of one object. */
export function countedOf(quota: ResourceQuota, evaluator: QuotaEvaluator, object: ApiObject, hard: ReadonlySet<string>): Amounts {
  if (!scopesOf(quota).every((scope) => evaluator.isInScope(scope, object))) return {};
  return onlyNamed(evaluator.usage(object), hard);
}

/** The contents of a namespace. */
export interface NamespaceCount {
  /** By name of each quota, the usage of everything in its `spec.hard` that the types contribute to. */
  readonly used: ReadonlyMap<string, Amounts>;
  /** How many objects were examined. */
  readonly objects: number;
}

/** Counts the contents of a namespace for each of its quotas. */
export async function countNamespace(
  resources: ResourceClient,
  namespace: string,
  quotas: readonly ResourceQuota[],
  types: readonly CountedType[],
): Promise<NamespaceCount> {
  const used = new Map(quotas.map(({metadata}) => [metadata.name!, {} as Amounts]));
  const bounds = quotas.map((quota) => ({quota, hard: new Set(Object.keys(quota.spec?.hard ?? {}))}));
  let objects = 0;
  const add = ({metadata}: ResourceQuota, amounts: Amounts) => used.set(metadata.name!, addAmounts(used.get(metadata.name!)!, amounts));
  const countType = async ({ref, evaluator}: CountedType): Promise<void> => {
    const concerned = bounds.filter(({hard}) => [...hard].some((name) => evaluator.counts(name)));
    if (concerned.length === 0) return;
    for (const {quota, hard} of concerned) {
      add(quota, Object.fromEntries([...hard].filter((name) => evaluator.counts(name)).map((name) => [name, '0'])));
    }
    for await (const object of objectsOf(resources, ref, namespace)) {
      objects++;
      for (const {quota, hard} of concerned) add(quota, countedOf(quota, evaluator, object, hard));
    }
  };
  await Promise.all(types.map(countType));
  return {used, objects};
}

/** All objects of a type; none if the type has been removed. */
async function* objectsOf(resources: ResourceClient, ref: ResourceRef, namespace: string): AsyncGenerator<ApiObject> {
  try {
    for await (const {items} of pagesOf(resources, ref, namespace)) yield* items;
  } catch (error) {
    if (isNotFound(error)) return;
    // The snapshot has expired: the objects counted so far are from a different time.
    if (StatusError.is(error) && error.code === 410) throw new Error('counting took too long', {cause: error});
    throw error;
  }
}

/**
 * The usage that the status of a quota should show: the counted amount, plus the charged amount that may still be pending.
 *
 * @param pending the amount that may have been pending when the count began, in billionths
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
    if (now <= least) used[name] = now === least ? (charged ?? found) : formatAs([found, charged], charged === undefined ? least : most);
    else if (now <= most) used[name] = charged!;
    else used[name] = formatAs([found, charged], most);
    if (quantityAmount(used[name]) > least) held = true;
  }
  return {used, held};
}

/** Written as one of the texts if it is that amount, else with the suffixes of the first that is not 0. */
function formatAs(texts: readonly (string | undefined)[], amount: bigint): string {
  const same = texts.find((text) => text !== undefined && quantityAmount(text) === amount);
  const like = texts.find((text) => quantityAmount(text) !== 0n);
  return same ?? formatQuantity({amount, family: (like === undefined ? undefined : parseQuantity(like)?.family) ?? 'decimal'});
}
