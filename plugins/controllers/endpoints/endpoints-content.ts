import {secondTime, type NamingProfile} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {EndpointAddress, Endpoints, EndpointSubset, Service} from '../../../sdk/types/unchecked/core/v1.js';
import {canonicalSubsets} from '../../families/endpoints/canonical-endpoints.js';
import {isHeadless} from '../../families/endpoints/service-port.js';
import {countAddresses, mostAddresses, truncated} from './capacity.js';

export const component = 'endpoint-controller';

/** What Endpoints of services say besides their addresses, and whether they have to be written. */
export class EndpointsContent {
  readonly #headlessLabel: string;
  readonly #managerLabel: string;
  readonly #triggerKey: string;
  readonly #capacityKey: string;
  readonly #leaderKey: string;

  constructor(naming: NamingProfile) {
    this.#headlessLabel = naming.key('service.orch/headless');
    this.#managerLabel = naming.key('endpoints.orch/managed-by');
    this.#triggerKey = naming.key('endpoints.orch/last-change-trigger-time');
    this.#capacityKey = naming.key('endpoints.orch/over-capacity');
    this.#leaderKey = naming.key('control-plane.alpha.orch/leader');
  }

  /** Whether somebody uses Endpoints as a lock. */
  isLock({metadata}: Pick<Endpoints, 'metadata'>): boolean {
    return Object.hasOwn(metadata.annotations ?? {}, this.#leaderKey);
  }

  /** Whether nothing is to be written. */
  isSame({metadata, subsets}: Endpoints, service: Service, wanted: readonly EndpointSubset[]): boolean {
    const stored = subsets ?? [];
    return (
      sameValue(withoutVersions(canonicalSubsets(stored)), wanted) &&
      metadata.labels?.[this.#managerLabel] === component &&
      sameValue(this.#ownLabels(metadata.labels), service.metadata.labels ?? {}) &&
      countAddresses(stored) <= mostAddresses &&
      !Object.hasOwn(metadata.annotations ?? {}, this.#capacityKey)
    );
  }

  /**
   * The Endpoints of a service.
   *
   * @param before those that are there
   * @param triggeredAt when the change happened that they follow from, in milliseconds since 1970; undefined if there was none
   */
  make(before: Endpoints | undefined, service: Service, wanted: readonly EndpointSubset[], triggeredAt: number | undefined): Endpoints {
    const {name = '', namespace = '', labels} = service.metadata;
    const {[this.#triggerKey]: _time, [this.#capacityKey]: _capacity, ...annotations} = before?.metadata.annotations ?? {};
    const {[this.#headlessLabel]: _headless, ...others} = labels ?? {};
    const cut = truncated(wanted);
    return {
      ...before,
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: {
        ...(before?.metadata ?? {name, namespace}),
        labels: {...others, ...(isHeadless(service) ? {[this.#headlessLabel]: ''} : {}), [this.#managerLabel]: component},
        annotations: {
          ...annotations,
          ...(triggeredAt === undefined ? {} : {[this.#triggerKey]: secondTime(triggeredAt)}),
          ...(cut ? {[this.#capacityKey]: 'truncated'} : {}),
        },
      },
      subsets: cut ?? [...wanted],
    };
  }

  #ownLabels(labels: Readonly<Record<string, string>> = {}): Record<string, string> {
    const {[this.#headlessLabel]: _headless, [this.#managerLabel]: _manager, ...own} = labels;
    return own;
  }
}

/** Pods change without their addresses doing so. */
function withoutVersions(subsets: readonly EndpointSubset[]): EndpointSubset[] {
  const stripped = (address: EndpointAddress): EndpointAddress => {
    if (address.targetRef?.resourceVersion === undefined) return address;
    const {resourceVersion: _version, ...targetRef} = address.targetRef;
    return {...address, targetRef};
  };
  return subsets.map(({addresses, notReadyAddresses, ...rest}) => ({
    ...rest,
    ...(addresses ? {addresses: addresses.map(stripped)} : {}),
    ...(notReadyAddresses ? {notReadyAddresses: notReadyAddresses.map(stripped)} : {}),
  }));
}
