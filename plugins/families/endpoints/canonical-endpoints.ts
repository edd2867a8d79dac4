import type {EndpointAddress, EndpointPort, EndpointSubset} from '../../../sdk/types/unchecked/core/v1.js';

interface AddressEntry {
  readonly address: EndpointAddress;
  isReady: boolean;
}

/** Ports that occur in the same subsets, and these subsets. */
interface PortGroup {
  readonly ports: (EndpointPort | undefined)[];
  readonly subsets: readonly EndpointSubset[];
}

/**
 * The same endpoints in the canonical form in which they are stored: addresses with the same ports are grouped, each once, and all lists
 * are sorted. An address that is ready in one subset but not in another counts as not ready.
 */
export function canonicalSubsets(subsets: readonly EndpointSubset[]): EndpointSubset[] {
  const groups = new Map<string, {ports: EndpointPort[]; addresses: Map<string, AddressEntry>}>();
  for (const {ports, subsets: sources} of portGroups(subsets)) {
    const addresses = addressesOf(sources);
    const key = JSON.stringify([...addresses].map(([name, {isReady}]) => [name, isReady] as const).sort(([a], [b]) => (a < b ? -1 : 1)));
    let group = groups.get(key);
    if (!group) groups.set(key, (group = {ports: [], addresses}));
    for (const port of ports) if (port) group.ports.push(port);
  }
  return [...groups.values()]
    .map(subsetOf)
    .map((subset) => ({subset, order: JSON.stringify(subset)}))
    .sort((a, b) => compare(a.order, b.order))
    .map(({subset}) => subset);
}

/**
 * Maximum number of addresses in that form: an address that occurs in several subsets is repeated for every port of the other subsets. A
 * few addresses and ports can add up to millions.
 */
export function canonicalSize(subsets: readonly EndpointSubset[]): number {
  const sizeOf = ({addresses = [], notReadyAddresses = []}: EndpointSubset) => addresses.length + notReadyAddresses.length;
  return portGroups(subsets).reduce((sum, group) => group.subsets.reduce((part, subset) => part + sizeOf(subset), sum), 0);
}

/** Each port once, grouped with others of the same subsets. Addresses without ports are kept under a placeholder port. */
function portGroups(subsets: readonly EndpointSubset[]): PortGroup[] {
  const places = new Map<string, {port: EndpointPort | undefined; subsets: Set<number>}>();
  for (const [index, {ports = []}] of subsets.entries()) {
    for (const port of ports.length > 0 ? ports : [undefined]) {
      const key = portKey(port);
      const place = places.get(key);
      if (place) place.subsets.add(index);
      else places.set(key, {port, subsets: new Set([index])});
    }
  }
  const groups = new Map<string, PortGroup>();
  for (const {port, subsets: indexes} of places.values()) {
    const key = [...indexes].join(' ');
    const group = groups.get(key);
    if (group) group.ports.push(port);
    else groups.set(key, {ports: [port], subsets: [...indexes].map((index) => subsets[index]!)});
  }
  return [...groups.values()];
}

function addressesOf(subsets: readonly EndpointSubset[]): Map<string, AddressEntry> {
  const found = new Map<string, AddressEntry>();
  for (const {addresses = [], notReadyAddresses = []} of subsets) {
    for (const address of addresses) addAddress(found, address, true);
    for (const address of notReadyAddresses) addAddress(found, address, false);
  }
  return found;
}

function addAddress(addresses: Map<string, AddressEntry>, address: EndpointAddress, isReady: boolean): void {
  const key = JSON.stringify([address.ip ?? '', address.targetRef?.uid ?? '']);
  const known = addresses.get(key);
  if (known) known.isReady &&= isReady;
  else addresses.set(key, {address, isReady});
}

function subsetOf({ports, addresses}: {ports: readonly EndpointPort[]; addresses: Map<string, AddressEntry>}): EndpointSubset {
  const entries = [...addresses].sort(([a], [b]) => compare(a, b)).map(([, entry]) => entry);
  const ready = entries.filter(({isReady}) => isReady).map(({address}) => address);
  const notReady = entries.filter(({isReady}) => !isReady).map(({address}) => address);
  const sorted = [...ports].sort((a, b) => compare(portKey(a), portKey(b)));
  return {
    ...(ready.length > 0 ? {addresses: ready} : {}),
    ...(notReady.length > 0 ? {notReadyAddresses: notReady} : {}),
    ...(sorted.length > 0 ? {ports: sorted} : {}),
  };
}

function portKey(port: EndpointPort | undefined): string {
  return port ? JSON.stringify([port.name ?? '', port.protocol ?? '', port.port ?? 0, port.appProtocol ?? null]) : '';
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
