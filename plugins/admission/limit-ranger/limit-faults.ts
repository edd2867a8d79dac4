import {compareQuantities, formatQuantity, quantityAmount, type FeatureGates} from '../../../sdk/index.js';
import type {LimitRange, LimitRangeItem, PersistentVolumeClaim, Pod} from '../../../sdk/types/core/v1.js';
import {containerAmounts} from '../../families/pods/resource-amounts.js';

type Amounts = Readonly<Record<string, string>>;
/** What is asked for. */
interface Asked {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** How a pod violates the limits of a namespace, in the words of Kubernetes. */
export function podFaults({spec}: LimitRange, pod: Pod, gates: FeatureGates): string[] {
  const {containers, initContainers = []} = pod.spec ?? {containers: []};
  const asked = (container: (typeof containers)[number]): Asked => ({
    requests: container.resources?.requests ?? {},
    limits: container.resources?.limits ?? {},
  });
  return (spec?.limits ?? []).flatMap((item) => {
    if (item.type === 'Container') return [...containers, ...initContainers].flatMap((container) => faults(item, asked(container)));
    if (item.type !== 'Pod') return [];
    return faults(item, {requests: podTotal(pod, 'requests', gates), limits: podTotal(pod, 'limits', gates)});
  });
}

/** What a pod asks for as a whole: its own cpu and memory take precedence over what its containers add up to. */
function podTotal({spec = {containers: []}}: Pod, kind: keyof Asked, gates: FeatureGates): Amounts {
  const ofContainers = gates.enabled('SidecarContainers') ? containerAmounts(spec, kind) : totalIfAllAsk(spec, kind);
  if (!gates.enabled('PodLevelResources')) return ofContainers;
  // Huge pages of a pod as a whole are no matter of limit ranges.
  const own = Object.entries(spec.resources?.[kind] ?? {}).filter(([name]) => name === 'cpu' || name === 'memory');
  return {...ofContainers, ...Object.fromEntries(own)};
}

/** The total of releases without sidecars: what one container leaves out has none. */
function totalIfAllAsk({containers, initContainers = []}: NonNullable<Pod['spec']>, kind: keyof Asked): Amounts {
  const amountsOf = ({resources}: (typeof containers)[number]): Amounts => resources?.[kind] ?? {};
  return withInitContainers(sum(containers.map(amountsOf)), initContainers.map(amountsOf));
}

/** How a claim violates them. Only its requests count, not its limits. */
export function claimFaults({spec}: LimitRange, claim: PersistentVolumeClaim): string[] {
  const requests = claim.spec?.resources?.requests ?? {};
  return (spec?.limits ?? [])
    .filter(({type}) => type === 'PersistentVolumeClaim')
    .flatMap(({type, min, max}) => [
      ...byName(min).flatMap(([name, bound]) => minimumFault(type, name, bound, {requests, limits: {}})),
      ...byName(max).flatMap(([name, bound]) => requestFault(type, name, bound, requests)),
    ]);
}

function faults({type, min, max, maxLimitRequestRatio}: LimitRangeItem, asked: Asked): string[] {
  return [
    ...byName(min).flatMap(([name, bound]) => minimumFault(type, name, bound, asked)),
    ...byName(max).flatMap(([name, bound]) => maximumFault(type, name, bound, asked)),
    ...byName(maxLimitRequestRatio).flatMap(([name, bound]) => ratioFault(type, name, bound, asked)),
  ];
}

function minimumFault(type: string, name: string, bound: string, {requests, limits}: Asked): string[] {
  const text = `minimum ${name} usage per ${type} is ${bound}`;
  const [request, limit] = [given(requests, name), given(limits, name)];
  if (request === undefined) return [`${text}.  No request is specified`];
  if (compareQuantities(request, bound) < 0) return [`${text}, but request is ${request}`];
  return limit !== undefined && compareQuantities(limit, bound) < 0 ? [`${text}, but limit is ${limit}`] : [];
}

function maximumFault(type: string, name: string, bound: string, {requests, limits}: Asked): string[] {
  const text = `maximum ${name} usage per ${type} is ${bound}`;
  const [request, limit] = [given(requests, name), given(limits, name)];
  if (limit === undefined) return [`${text}.  No limit is specified`];
  if (compareQuantities(limit, bound) > 0) return [`${text}, but limit is ${limit}`];
  return request !== undefined && compareQuantities(request, bound) > 0 ? [`${text}, but request is ${request}`] : [];
}

function requestFault(type: string, name: string, bound: string, requests: Amounts): string[] {
  const text = `maximum ${name} usage per ${type} is ${bound}`;
  const request = given(requests, name);
  if (request === undefined) return [`${text}.  No request is specified`];
  return compareQuantities(request, bound) > 0 ? [`${text}, but request is ${request}`] : [];
}

function ratioFault(type: string, name: string, bound: string, {requests, limits}: Asked): string[] {
  const text = `${name} max limit to request ratio per ${type} is ${bound}`;
  const [request, limit] = [quantityAmount(given(requests, name)), quantityAmount(given(limits, name))];
  if (request === 0n) return [`${text}, but no request is specified or request is 0`];
  if (limit === 0n) return [`${text}, but no limit is specified or limit is 0`];
  // limit / request > bound, without a division.
  if (limit * 1_000_000_000n <= quantityAmount(bound) * request) return [];
  return [`${text}, but provided ratio is ${(Number(limit) / Number(request)).toFixed(6)}`];
}

function given(amounts: Amounts, name: string): string | undefined {
  return Object.hasOwn(amounts, name) ? amounts[name] : undefined;
}

/** Sorted by name, so that the same violations give the same text. */
function byName(amounts: Amounts | undefined): [string, string][] {
  return Object.entries(amounts ?? {}).sort(([left], [right]) => (left < right ? -1 : 1));
}

/** The sums of resources that every container sets. If one container leaves a resource out, the pod's total is unknown. */
function sum(all: readonly Amounts[]): Record<string, string> {
  const names = Object.keys(all[0] ?? {}).filter((name) => all.every((amounts) => Object.hasOwn(amounts, name)));
  return Object.fromEntries(
    names.map((name) => {
      const amount = all.reduce((total, amounts) => total + quantityAmount(amounts[name]), 0n);
      return [name, formatQuantity({amount, family: 'decimal'})];
    }),
  );
}

/** Init containers run one by one before the others: the largest one counts if it exceeds the sum of the others. */
function withInitContainers(total: Record<string, string>, each: readonly Amounts[]): Amounts {
  for (const amounts of each) {
    for (const [name, amount] of Object.entries(amounts))
      if (!Object.hasOwn(total, name) || compareQuantities(amount, total[name]) > 0) total[name] = amount;
  }
  return total;
}
