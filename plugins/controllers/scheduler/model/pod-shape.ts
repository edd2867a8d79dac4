import type {FeatureGates} from '../../../../sdk/index.js';
import type {Pod, Toleration} from '../../../../sdk/types/unchecked/core/v1.js';
import {extendedRequests, type ExtendedNames, type ExtendedRequests} from './extended-requests.js';
import {hostPorts, type HostPort} from './host-ports.js';
import {podImages, type PodImages} from './images.js';
import type {PodPlace} from './node-facts.js';
import {nodeRequirements, type NodeRequirements} from '../../../families/placement/node-terms.js';
import {PodAmountReader, type PodAmounts} from './pod-amounts.js';
import {podTerms, type PodTerms} from './pod-terms.js';
import {podVolumes, type PodVolumes} from './pod-volumes.js';
import {spreadConstraints, type SpreadConstraint} from './spread-constraints.js';

/** How many pods of a form a node has. */
export interface PlacedCount {
  all: number;
  /** Without those that are being deleted. */
  live: number;
}

/** A controller of pods, as pods name it. */
export interface PodController {
  readonly kind: string;
  readonly apiVersion: string;
  readonly name: string;
}

/**
 * Everything about a pod that decides where it can run and what it means for others. Pods that are made from one template share it: what is worked out for one holds for all, and
 * a pod takes little memory.
 */
export interface PodShape {
  readonly key: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly controller: PodController | undefined;
  readonly schedulerName: string;
  readonly priority: number;
  readonly preemptionPolicy: string;
  readonly amounts: PodAmounts;
  /** What it asks for of resources that drivers of devices may give; always empty where none are. */
  readonly extended: readonly ExtendedRequests[];
  readonly tolerations: readonly Toleration[];
  readonly nodes: NodeRequirements | undefined;
  readonly terms: PodTerms | undefined;
  /** That must hold. */
  readonly hardSpread: readonly SpreadConstraint[];
  /** That should. */
  readonly softSpread: readonly SpreadConstraint[];
  readonly ownSpread: boolean;
  readonly ports: readonly HostPort[];
  readonly images: PodImages;
  readonly volumes: PodVolumes;
  readonly gates: readonly string[];
  /** Where such pods are. */
  readonly placed: Map<PodPlace, PlacedCount>;
  /** How many pods have this form. */
  users: number;
}

/** The forms of all pods that are known. */
export class PodShapes {
  readonly #shapes = new Map<string, PodShape>();
  readonly #byNamespace = new Map<string, Set<PodShape>>();
  /** Those whose pods want something of others that come near them. */
  readonly withTerms = new Set<PodShape>();
  readonly #amounts: PodAmountReader;
  readonly #names: ExtendedNames | undefined;

  /** @param names of resources that drivers of devices may give; absent if they give none */
  constructor(gates: FeatureGates, names?: ExtendedNames) {
    this.#amounts = new PodAmountReader(gates);
    this.#names = names;
  }

  /** The form of a pod. Its user gives it back with `release`. */
  take(pod: Pod): PodShape {
    const {amounts, key: amountsKey} = this.#amounts.read(pod);
    const {metadata, spec = {}} = pod;
    const {namespace = '', labels = {}} = metadata;
    const owner = metadata.ownerReferences?.find(({controller}) => controller);
    const parts = [
      namespace,
      labels,
      owner && [owner.kind, owner.apiVersion, owner.name],
      spec.schedulerName,
      spec.priority,
      spec.preemptionPolicy,
      amountsKey,
      spec.tolerations,
      spec.nodeSelector,
      spec.affinity,
      spec.topologySpreadConstraints,
      hostPorts(spec),
      podImages(spec),
      podVolumes(pod),
      spec.schedulingGates,
      spec.resourceClaims,
    ];
    const key = JSON.stringify(parts);
    let shape = this.#shapes.get(key);
    if (!shape) {
      shape = this.#make(pod, key, amounts);
      this.#shapes.set(key, shape);
      const others = this.#byNamespace.get(namespace);
      if (others) others.add(shape);
      else this.#byNamespace.set(namespace, new Set([shape]));
      if (shape.terms) this.withTerms.add(shape);
    }
    shape.users += 1;
    return shape;
  }

  release(shape: PodShape): void {
    shape.users -= 1;
    if (shape.users > 0) return;
    this.#shapes.delete(shape.key);
    this.withTerms.delete(shape);
    const others = this.#byNamespace.get(shape.namespace);
    others?.delete(shape);
    if (others?.size === 0) this.#byNamespace.delete(shape.namespace);
  }

  /** Those of a namespace. */
  of(namespace: string): Iterable<PodShape> {
    return this.#byNamespace.get(namespace) ?? [];
  }

  all(): Iterable<PodShape> {
    return this.#shapes.values();
  }

  #make(pod: Pod, key: string, amounts: PodAmounts): PodShape {
    const {metadata, spec = {}} = pod;
    const {namespace = '', labels = {}} = metadata;
    const owner = metadata.ownerReferences?.find(({controller}) => controller);
    const own = structuredClone(labels) as Record<string, string>;
    // The object belongs to the cache, and would be kept by what refers to parts of it.
    const copied = structuredClone(spec);
    return {
      key,
      namespace,
      labels: own,
      controller: owner && {kind: owner.kind, apiVersion: owner.apiVersion, name: owner.name},
      schedulerName: spec.schedulerName ?? '',
      priority: spec.priority ?? 0,
      preemptionPolicy: spec.preemptionPolicy ?? '',
      amounts,
      extended: this.#names && amounts.requests.others.size > 0 ? extendedRequests(copied, this.#names) : [],
      tolerations: copied.tolerations ?? [],
      nodes: nodeRequirements(copied),
      terms: podTerms(copied, namespace),
      hardSpread: spreadConstraints(copied, own, 'DoNotSchedule'),
      softSpread: spreadConstraints(copied, own, 'ScheduleAnyway'),
      ownSpread: (copied.topologySpreadConstraints?.length ?? 0) > 0,
      ports: hostPorts(copied),
      images: podImages(copied),
      volumes: podVolumes({metadata, spec: copied}),
      gates: (copied.schedulingGates ?? []).map(({name = ''}) => name),
      placed: new Map(),
      users: 0,
    };
  }
}
