import type {Node, Taint} from '../../../../sdk/types/unchecked/core/v1.js';
import {amountsOf, unitsOf, type Amounts} from './amounts.js';
import {normalImage} from './images.js';

/** What a node has for pods. */
export interface NodeFacts {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly unschedulable: boolean;
  readonly allocatable: Amounts;
  /** How many pods it may have. */
  readonly mostPods: number;
  /** Sizes in bytes of the images that it has, by name. */
  readonly images: ReadonlyMap<string, number>;
}

export function nodeFacts({metadata, spec, status}: Node): NodeFacts {
  const allocatable = (status?.allocatable ?? {}) as Record<string, string>;
  const images = new Map<string, number>();
  for (const {names, sizeBytes} of status?.images ?? [])
    for (const name of names ?? []) images.set(normalImage(name), Number(sizeBytes ?? 0));
  return {
    name: metadata.name ?? '',
    labels: structuredClone((metadata.labels ?? {}) as Record<string, string>),
    taints: structuredClone(spec?.taints ?? []),
    unschedulable: spec?.unschedulable ?? false,
    allocatable: amountsOf(allocatable),
    mostPods: unitsOf(allocatable['pods']),
    images,
  };
}

/** Whether nothing has changed that pods depend on, as with each report of a node that it is alive. */
export function isSameForPods(left: NodeFacts, right: NodeFacts): boolean {
  return JSON.stringify(plain(left)) === JSON.stringify(plain(right));
}

function plain(facts: NodeFacts): object {
  const {allocatable, images} = facts;
  return {...facts, allocatable: {...allocatable, others: [...allocatable.others]}, images: [...images]};
}

/** A node, or the name of one, as the place of pods. */
export interface PodPlace {
  readonly name: string;
  /** Undefined while only its pods are known. */
  readonly facts: NodeFacts | undefined;
}
