import {addQuantities, compareQuantities} from '../../../sdk/index.js';
import type {Container, PodSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {isSidecar} from './restart-policy.js';

/** Quantities by resource name. */
type ResourceAmounts = Readonly<Record<string, string>>;

/** The sums; amounts that only one side has are kept. */
export function addAmounts(left: ResourceAmounts, right: ResourceAmounts): Record<string, string> {
  const sums: Record<string, string> = {...left};
  for (const [name, amount] of Object.entries(right)) sums[name] = Object.hasOwn(sums, name) ? addQuantities(sums[name]!, amount) : amount;
  return sums;
}

/** The greater of the two amounts for each name. */
export function greaterAmounts(left: ResourceAmounts, right: ResourceAmounts): Record<string, string> {
  const greater: Record<string, string> = {...left};
  for (const [name, amount] of Object.entries(right))
    if (!Object.hasOwn(greater, name) || compareQuantities(amount, greater[name]) > 0) greater[name] = amount;
  return greater;
}

type Kind = 'requests' | 'limits';

/** What a container says that it needs. */
function askedOf({resources}: Container, kind: Kind): ResourceAmounts {
  return resources?.[kind] ?? {};
}

/**
 * What the containers of a pod need together. Init containers run one by one before the others; those that keep running (sidecars) count with
 * what starts after them.
 *
 * @param amountsOf what one container counts for; what it asks for by default
 */
export function containerAmounts({containers, initContainers}: PodSpec, kind: Kind, amountsOf = askedOf): Record<string, string> {
  let sum = (containers ?? []).reduce<Record<string, string>>((all, container) => addAmounts(all, amountsOf(container, kind)), {});
  let sidecars: Record<string, string> = {};
  let start: Record<string, string> = {};
  for (const container of initContainers ?? []) {
    const own = addAmounts(sidecars, amountsOf(container, kind));
    if (isSidecar(container)) {
      sidecars = own;
      sum = addAmounts(sum, amountsOf(container, kind));
    }
    start = greaterAmounts(start, own);
  }
  return greaterAmounts(sum, start);
}
