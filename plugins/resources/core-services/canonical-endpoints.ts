import type {EndpointAddress, EndpointPort, EndpointSubset} from './endpoints.js';

interface AddressEntry {
  readonly address: EndpointAddress;
  isReady: boolean;
}

interface PortGroup {
  readonly ports: EndpointPort[];
  readonly addresses: Map<string, AddressEntry>;
}

/**
 * The same endpoints in the one form that they are stored in: addresses with the same ports stand together, each once, all lists
 * sorted. An address that is ready in one place and not in another counts as not ready.
 */
export function canonicalSubsets(subsets: readonly EndpointSubset[]): EndpointSubset[] {
  const byPort = new Map<string, {port: EndpointPort | undefined; addresses: Map<string, AddressEntry>}>();
  for (const {addresses = [], notReadyAddresses = [], ports = []} of subsets) {
    // Addresses without ports are kept as such.
    for (const port of ports.length > 0 ? ports : [undefined]) {
      const key = portKey(port);
      let entry = byPort.get(key);
      if (!entry) byPort.set(key, (entry = {port, addresses: new Map()}));
      for (const address of addresses) addAddress(entry.addresses, address, true);
      for (const address of notReadyAddresses) addAddress(entry.addresses, address, false);
    }
  }
  const groups = new Map<string, PortGroup>();
  for (const {port, addresses} of byPort.values()) {
    const key = JSON.stringify([...addresses].map(([name, {isReady}]) => [name, isReady] as const).sort(([a], [b]) => (a < b ? -1 : 1)));
    let group = groups.get(key);
    if (!group) groups.set(key, (group = {ports: [], addresses}));
    if (port) group.ports.push(port);
  }
  return [...groups.values()]
    .map(subsetOf)
    .map((subset) => ({subset, order: JSON.stringify(subset)}))
    .sort((a, b) => compare(a.order, b.order))
    .map(({subset}) => subset);
}

function addAddress(addresses: Map<string, AddressEntry>, address: EndpointAddress, isReady: boolean): void {
  const key = JSON.stringify([address.ip ?? '', address.targetRef?.uid ?? '']);
  const known = addresses.get(key);
  if (known) known.isReady &&= isReady;
  else addresses.set(key, {address, isReady});
}

function subsetOf({ports, addresses}: PortGroup): EndpointSubset {
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
