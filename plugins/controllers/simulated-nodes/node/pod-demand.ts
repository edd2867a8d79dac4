import {quantityAmount} from '../../../../sdk/index.js';
import type {PodSpec} from '../../../../sdk/types/unchecked/core/v1.js';
import {addAmounts, containerAmounts} from '../../../families/pods/resource-amounts.js';
import {isSidecar} from '../../../families/pods/restart-policy.js';

/** A port of the machine. */
export interface MachinePort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

/** What a pod takes of its node. */
export interface PodDemand {
  /** By resource, in the units in which kubelets name amounts: thousandths of processors, else whole units. */
  readonly amounts: ReadonlyMap<string, number>;
  readonly ports: readonly MachinePort[];
}

const anyAddress = '0.0.0.0';
const none: PodDemand = {amounts: new Map(), ports: []};

/** @param hasPodLevel whether pods may ask for resources as a whole */
export function demandOf(spec: PodSpec, hasPodLevel: boolean): PodDemand {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const asksForNothing = !spec.overhead && !spec.resources && containers.every(({resources, ports}) => !resources?.requests && !ports);
  if (asksForNothing) return none;
  const ofPod = hasPodLevel ? (spec.resources?.requests ?? {}) : {};
  const asked = addAmounts({...containerAmounts(spec, 'requests'), ...ofPod}, (spec.overhead ?? {}) as Record<string, string>);
  const ports = [...(spec.containers ?? []), ...(spec.initContainers ?? []).filter(isSidecar)]
    .flatMap((container) => container.ports ?? [])
    .filter(({hostPort}) => (hostPort ?? 0) > 0)
    .map(({hostIP, protocol, hostPort}) => ({ip: hostIP || anyAddress, protocol: protocol ?? 'TCP', port: hostPort!}));
  return {amounts: new Map(Object.entries(asked).map(([name, amount]) => [name, unitsOf(name, amount)])), ports};
}

/** An amount of a resource in the unit in which kubelets name it, rounded up. */
export function unitsOf(resource: string, quantity: string | undefined): number {
  const part = resource === 'cpu' ? 1_000_000n : 1_000_000_000n;
  return Number((quantityAmount(quantity) + part - 1n) / part);
}

/** Whether two ports cannot be open at the same time. */
export function portsMeet(one: MachinePort, other: MachinePort): boolean {
  const isSamePlace = one.ip === other.ip || one.ip === anyAddress || other.ip === anyAddress;
  return one.port === other.port && one.protocol === other.protocol && isSamePlace;
}
