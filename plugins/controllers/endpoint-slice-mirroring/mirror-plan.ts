import type {NamingProfile} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {Endpoints} from '../../../sdk/types/unchecked/core/v1.js';
import type {EndpointSlice} from '../../../sdk/types/unchecked/discovery/v1.js';
import type {ManagedSlices} from '../../families/endpoints/managed-slices.js';
import {endpointKey, endpointsOf, isSameState, slicePrefix} from '../../families/endpoints/slice-content.js';
import {groupKey, type MirroredGroup} from './mirrored-endpoints.js';

/** What is to become of slices. */
export interface MirrorPlan {
  readonly create: EndpointSlice[];
  readonly update: {readonly before: EndpointSlice; readonly slice: EndpointSlice}[];
  readonly remove: EndpointSlice[];
}

/** Decides which slices mirror Endpoints. */
export class MirrorPlanner {
  readonly #naming: NamingProfile;
  readonly #slices: ManagedSlices;
  /** Annotations that slices do not take over. */
  readonly #ownAnnotations: readonly string[];

  constructor(naming: NamingProfile, slices: ManagedSlices) {
    this.#naming = naming;
    this.#slices = slices;
    this.#ownAnnotations = [naming.key('endpoints.orch/last-change-trigger-time'), naming.key('kubectl.orch/last-applied-configuration')];
  }

  plan(endpoints: Endpoints, groups: ReadonlyMap<string, MirroredGroup>, existing: readonly EndpointSlice[]): MirrorPlan {
    const plan: MirrorPlan = {create: [], update: [], remove: []};
    const byKey = new Map<string, EndpointSlice[]>();
    for (const slice of existing) {
      const key = groupKey(slice.addressType ?? '', slice.ports);
      const others = byKey.get(key);
      if (others) others.push(slice);
      else byKey.set(key, [slice]);
    }
    for (const [key, group] of groups) {
      const [first, ...more] = byKey.get(key) ?? [];
      byKey.delete(key);
      plan.remove.push(...more);
      if (!first) plan.create.push(this.#make(endpoints, group));
      else if (!this.#isSame(endpoints, group, first)) plan.update.push({before: first, slice: this.#make(endpoints, group, first)});
    }
    for (const unwanted of byKey.values()) plan.remove.push(...unwanted);
    recycle(plan);
    return plan;
  }

  #isSame(endpoints: Endpoints, {endpoints: wanted}: MirroredGroup, slice: EndpointSlice): boolean {
    const {labels = {}, annotations = {}, ownerReferences = []} = slice.metadata;
    const own = Object.fromEntries(Object.entries(labels).filter(([key]) => !this.#slices.isOwnLabel(key)));
    const {name, uid} = endpoints.metadata;
    const stored = endpointsOf(slice);
    return (
      stored.length === wanted.size &&
      stored.every((endpoint) => {
        const found = wanted.get(endpointKey(endpoint));
        return found !== undefined && isSameState(found, endpoint);
      }) &&
      sameValue(own, endpoints.metadata.labels ?? {}) &&
      sameValue(annotations, this.#annotationsFor(endpoints)) &&
      !ownerReferences.some((owner) => owner.kind === 'Endpoints' && owner.name === name && owner.uid !== uid)
    );
  }

  /** @param before in place of which it stands */
  #make(source: Endpoints, {addressType, ports, endpoints}: MirroredGroup, before?: EndpointSlice): EndpointSlice {
    const {name = '', namespace = '', uid = '', labels} = source.metadata;
    return {
      apiVersion: `${this.#naming.group('discovery.orch')}/v1`,
      kind: 'EndpointSlice',
      metadata: {
        ...(before ? {name: before.metadata.name!} : {generateName: slicePrefix(name)}),
        namespace,
        labels: {...labels, ...this.#slices.labelsFor(name)},
        annotations: this.#annotationsFor(source),
        ownerReferences: [{apiVersion: 'v1', kind: 'Endpoints', name, uid, controller: true, blockOwnerDeletion: true}],
      },
      addressType,
      endpoints: [...endpoints.values()],
      ports: ports.map((port) => ({...port})),
    };
  }

  #annotationsFor({metadata}: Endpoints): Record<string, string> {
    return Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([key]) => !this.#ownAnnotations.includes(key)));
  }
}

/** What would be deleted becomes what would be created, if it is of the same family. */
function recycle({create, update, remove}: MirrorPlan): void {
  for (const slice of [...create]) {
    const index = remove.findIndex(({addressType}) => addressType === slice.addressType);
    if (index < 0) continue;
    const [before] = remove.splice(index, 1);
    create.splice(create.indexOf(slice), 1);
    const {generateName: _prefix, ...metadata} = slice.metadata;
    update.push({before: before!, slice: {...slice, metadata: {...metadata, name: before!.metadata.name!}}});
  }
}
