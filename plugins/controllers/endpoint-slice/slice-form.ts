import {secondTime, type NamingProfile} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {Service} from '../../../sdk/types/unchecked/core/v1.js';
import type {EndpointPort, EndpointSlice} from '../../../sdk/types/unchecked/discovery/v1.js';
import type {ManagedSlices} from '../../families/endpoints/managed-slices.js';
import {isHeadless} from '../../families/endpoints/service-port.js';
import {slicePrefix} from '../../families/endpoints/slice-content.js';

/** How slices look from outside: their names, labels, annotations and owners. */
export class SliceForm {
  readonly #naming: NamingProfile;
  readonly #slices: ManagedSlices;
  readonly #headlessLabel: string;

  constructor(naming: NamingProfile, slices: ManagedSlices) {
    this.#naming = naming;
    this.#slices = slices;
    this.#headlessLabel = naming.key('service.orch/headless');
  }

  /** A new slice of a service without endpoints. */
  make(service: Service, addressType: string, ports: readonly EndpointPort[]): EndpointSlice {
    const {name = '', namespace = '', uid = ''} = service.metadata;
    const slice: EndpointSlice = {
      apiVersion: `${this.#naming.group('discovery.orch')}/v1`,
      kind: 'EndpointSlice',
      metadata: {
        generateName: slicePrefix(name),
        namespace,
        ownerReferences: [{apiVersion: 'v1', kind: 'Service', name, uid, controller: true, blockOwnerDeletion: true}],
      },
      addressType,
      endpoints: [],
      ports: ports.map((port) => ({...port})),
    };
    slice.metadata.labels = this.labelsFor(slice, service).labels;
    return slice;
  }

  /** The labels of a slice: those of its service, and those by which it belongs to it. Changes of the latter alone do not count. */
  labelsFor({metadata}: EndpointSlice, service: Service): {labels: Record<string, string>; isChanged: boolean} {
    const wanted = this.#withoutReserved(service.metadata.labels);
    const isChanged = !sameValue(this.#withoutReserved(metadata.labels), wanted);
    const headless = isHeadless(service) ? {[this.#headlessLabel]: ''} : {};
    return {labels: {...wanted, ...headless, ...this.#slices.labelsFor(service.metadata.name ?? '')}, isChanged};
  }

  /** Says on a slice when the change happened that it follows from. @param millis since 1970; undefined if there was none */
  setTrigger(slice: EndpointSlice, millis: number | undefined): void {
    const key = this.#naming.key('endpoints.orch/last-change-trigger-time');
    const {[key]: _before, ...others} = slice.metadata.annotations ?? {};
    slice.metadata = {...slice.metadata, annotations: millis === undefined ? others : {...others, [key]: secondTime(millis)}};
  }

  /** Whether a slice is of this service, and not of an earlier one of its name. */
  isOwned({metadata}: EndpointSlice, service: Service): boolean {
    return (
      metadata.ownerReferences?.some(
        ({uid, kind, apiVersion}) => uid === service.metadata.uid && kind === 'Service' && apiVersion === 'v1',
      ) ?? false
    );
  }

  /** Whether a slice has nothing in it, and everything else is as it would be made. */
  isPlaceholder(slice: EndpointSlice, service: Service): boolean {
    const wanted = this.make(service, slice.addressType ?? '', []);
    return (
      (slice.endpoints ?? []).length === 0 &&
      (slice.ports ?? []).length === 0 &&
      sameValue(slice.metadata.labels ?? {}, wanted.metadata.labels) &&
      sameValue(slice.metadata.ownerReferences, wanted.metadata.ownerReferences)
    );
  }

  #withoutReserved(labels: Readonly<Record<string, string>> = {}): Record<string, string> {
    return Object.fromEntries(Object.entries(labels).filter(([key]) => key !== this.#headlessLabel && !this.#slices.isOwnLabel(key)));
  }
}
