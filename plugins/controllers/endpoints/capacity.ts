import type {EndpointAddress, EndpointSubset} from '../../../sdk/types/unchecked/core/v1.js';

/** Addresses that Endpoints have at most. As in Kubernetes. */
export const mostAddresses = 1000;

/** How many addresses there are, those that are not ready included. */
export function countAddresses(subsets: readonly EndpointSubset[]): number {
  return subsets.reduce((sum, {addresses = [], notReadyAddresses = []}) => sum + addresses.length + notReadyAddresses.length, 0);
}

/** The subsets with as many addresses as are allowed, each with its share; those that are not ready go first. Undefined if there are not too many. */
export function truncated(subsets: readonly EndpointSubset[]): EndpointSubset[] | undefined {
  if (countAddresses(subsets) <= mostAddresses) return undefined;
  const ready = subsets.reduce((sum, {addresses = []}) => sum + addresses.length, 0);
  const isReadyCut = ready > mostAddresses;
  const most = isReadyCut ? mostAddresses : mostAddresses - ready;
  const total = isReadyCut ? ready : countAddresses(subsets) - ready;
  let left = most;
  const share = (addresses: readonly EndpointAddress[]): EndpointAddress[] => {
    const kept = addresses.slice(0, Math.min(left, Math.ceil((addresses.length / total) * most)));
    left -= kept.length;
    return kept;
  };
  return subsets.map(({addresses = [], notReadyAddresses = [], ...rest}) =>
    isReadyCut ? {...rest, addresses: share(addresses)} : {...rest, addresses, notReadyAddresses: share(notReadyAddresses)},
  );
}
