import {randomUUID} from 'node:crypto';
import type {ContainerExtendedResourceRequest} from '../../../../sdk/types/unchecked/core/v1.js';
import type {DeviceClass, DeviceRequest, ResourceClaim} from '../../../../sdk/types/unchecked/resource/v1.js';
import {byBytes} from '../model/by-bytes.js';
import type {DeviceView} from '../model/device-view.js';
import type {ExtendedRequests} from '../model/extended-requests.js';
import type {KnownPod} from '../model/known-pod.js';
import type {NodeFacts} from '../model/node-facts.js';

/** Which of the containers of a pod uses which request of its claim. */
export type RequestMappings = readonly ContainerExtendedResourceRequest[];

/** A claim that is made for a pod on a node. */
export interface ExtendedClaim {
  /** Not written yet: without a name, with a uid by which its devices are kept for it. */
  readonly claim: ResourceClaim;
  readonly mappings: RequestMappings;
}

interface Wanted {
  readonly name: string;
  readonly className: string;
  readonly count: number;
}

/** What a pod asks for by the names of resources, of devices that a class gives under this name. */
export class ExtendedDemand {
  /** A claim of an earlier attempt, whose devices may suit no more: it goes first. */
  readonly stale: ResourceClaim | undefined;
  readonly #pod: KnownPod;
  readonly #classes: ReadonlyMap<string, DeviceClass>;
  readonly #annotation: string;
  /** By the resources that a node does not have itself. */
  readonly #claims = new Map<string, ExtendedClaim>();

  private constructor(pod: KnownPod, classes: ReadonlyMap<string, DeviceClass>, devices: DeviceView) {
    this.#pod = pod;
    this.#classes = classes;
    this.#annotation = devices.extendedAnnotation;
    this.stale = devices.extendedClaimOf(pod.uid);
  }

  /** Undefined for a pod that asks for nothing that a class gives. */
  static of(pod: KnownPod, devices: DeviceView): ExtendedDemand | undefined {
    if (pod.shape.extended.length === 0) return undefined;
    const classes = new Map<string, DeviceClass>();
    for (const {amounts} of pod.shape.extended) {
      for (const name of amounts.keys()) {
        const found = devices.classGiving(name);
        if (found) classes.set(name, found);
      }
    }
    return classes.size === 0 ? undefined : new ExtendedDemand(pod, classes, devices);
  }

  /** The claim for what a node does not have itself; undefined if it has all. */
  on({allocatable}: NodeFacts): ExtendedClaim | undefined {
    const names = [...this.#classes.keys()].filter((name) => !allocatable.others.get(name));
    if (names.length === 0) return undefined;
    const key = names.join(' ');
    const known = this.#claims.get(key);
    if (known) return known;
    const made = this.#make(names.toSorted(byBytes));
    this.#claims.set(key, made);
    return made;
  }

  #make(names: readonly string[]): ExtendedClaim {
    const {namespace, name, uid, shape} = this.#pod;
    const wanted: Wanted[] = [];
    const mappings: ContainerExtendedResourceRequest[] = [];
    for (const resource of names) {
      const found = requestsOf(shape.extended, resource, this.#classes.get(resource)?.metadata.name ?? '');
      wanted.push(...found.wanted);
      mappings.push(...found.mappings);
    }
    const requests = wanted
      .toSorted((left, right) => byBytes(left.name, right.name))
      .map((request) => ({
        name: request.name,
        exactly: {deviceClassName: request.className, allocationMode: 'ExactCount', count: request.count},
      })) as DeviceRequest[];
    const claim: ResourceClaim = {
      metadata: {
        namespace,
        generateName: `${name}-extended-resources-`,
        uid: randomUUID(),
        annotations: {[this.#annotation]: 'true'},
        ownerReferences: [{apiVersion: 'v1', kind: 'Pod', name, uid, controller: true}],
      },
      spec: {devices: {requests}},
    };
    return {claim, mappings};
  }
}

/**
 * The requests for one resource. Each container that lives as long as the pod has its own; those that end before others begin use what later ones have asked for, and what they need beyond that
 * is asked for once, for the greediest of them.
 */
function requestsOf(
  containers: readonly ExtendedRequests[],
  resource: string,
  className: string,
): {readonly wanted: readonly Wanted[]; readonly mappings: RequestMappings} {
  const wanted: (Wanted & {readonly index: number})[] = [];
  const mappings: ContainerExtendedResourceRequest[] = [];
  const map = (container: string, requestName: string) => mappings.push({containerName: container, resourceName: resource, requestName});
  const nameOf = ({index, amounts}: ExtendedRequests) => `container-${index}-request-${amounts.get(resource)!.place}`;
  const asking = containers.filter(({amounts}) => amounts.has(resource));
  for (const each of asking.filter(({isShortLived}) => !isShortLived)) {
    wanted.push({name: nameOf(each), className, count: each.amounts.get(resource)!.units, index: each.index});
    map(each.container, nameOf(each));
  }
  const short: {readonly container: string; readonly own: Wanted}[] = [];
  const ofShort: {readonly container: string; readonly requestName: string; readonly isOwn: boolean}[] = [];
  for (const each of asking.filter(({isShortLived}) => isShortLived)) {
    const {units} = each.amounts.get(resource)!;
    let had = 0;
    for (const later of wanted) {
      if (later.index < each.index || had >= units) continue;
      had += later.count;
      ofShort.push({container: each.container, requestName: later.name, isOwn: false});
    }
    if (had >= units) continue;
    short.push({container: each.container, own: {name: nameOf(each), className, count: units - had}});
    ofShort.push({container: each.container, requestName: nameOf(each), isOwn: true});
  }
  let most: Wanted | undefined;
  for (const {own} of short) if (!most || own.count > most.count) most = own;
  for (const {container, requestName, isOwn} of ofShort) map(container, isOwn ? most!.name : requestName);
  return {wanted: most ? [most, ...wanted] : wanted, mappings};
}
