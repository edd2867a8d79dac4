import type {ResourceClient} from '../../../sdk/index.js';
import type {IpFamily} from '../../../sdk/net/index.js';
import {readyRanges} from './service-cidrs.js';
import type {AddressRange} from './service-settings.js';

/** Where the addresses of services come from. */
export interface AddressSource {
  /** The families of the cluster, the usual one first: those of the settings. */
  readonly families: readonly IpFamily[];
  /** The blocks that addresses are taken from now. */
  ranges(): Promise<readonly AddressRange[]>;
  /** Why an address is not to be had that is in none of the blocks of its family, in Kubernetes' words. */
  outside(ip: string, ranges: readonly AddressRange[]): string;
}

/** Addresses of the blocks in the settings. */
export function fixedAddresses(fixed: readonly AddressRange[]): AddressSource {
  return {
    families: fixed.map(({family}) => family),
    ranges: () => Promise.resolve(fixed),
    outside: (ip, ranges) => {
      const texts = (ranges.length > 0 ? ranges : fixed).map(({text}) => text);
      return `the provided IP (${ip}) is not in the valid range. The range of valid IPs is ${texts.join(', ')}`;
    },
  };
}

/** Addresses of all ServiceCIDRs that are ready. */
export function serviceCidrAddresses(resources: ResourceClient, version: string, fixed: readonly AddressRange[]): AddressSource {
  return {
    families: fixed.map(({family}) => family),
    ranges: () => readyRanges(resources, version),
    outside: () => 'the provided network does not match the current range',
  };
}
