import {formatIp, parseIp} from '../../../sdk/net/index.js';

/** One of the addresses that a service leads to. */
export interface BackendAddress {
  /** Name or address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Endpoints, as far as it matters here. */
export interface EndpointSubsets {
  readonly subsets?: readonly {
    readonly addresses?: readonly {readonly ip?: string}[];
    readonly ports?: readonly {readonly name?: string; readonly port?: number}[];
  }[];
}

/** An EndpointSlice, as far as it matters here. */
export interface EndpointSliceAddresses {
  readonly addressType?: string;
  readonly endpoints?: readonly {readonly addresses?: readonly string[]; readonly conditions?: {readonly ready?: boolean | null}}[] | null;
  readonly ports?: readonly {readonly name?: string | null; readonly port?: number | null}[] | null;
}

/** Addresses that are ready, all of them on each of the ports. */
interface Backends {
  readonly addresses: readonly string[];
  readonly ports: readonly number[];
}

/** One of the addresses that are ready behind the port of a service that has the given name; a port without a name is called ``. Undefined when there are none. */
export function readyAddress({subsets = []}: EndpointSubsets, portName: string): BackendAddress | undefined {
  return anyOf(
    subsets.map(({addresses = [], ports = []}) => ({
      addresses: addresses.flatMap(({ip = ''}) => addressText(ip)),
      ports: ports.filter(({name = ''}) => name === portName).map(({port = 0}) => port),
    })),
  );
}

/**
 * As `readyAddress`, of slices. An endpoint that does not say whether it is ready counts as ready, and its first address is its own. Slices of
 * names are not connected to.
 */
export function readySliceAddress(slices: readonly EndpointSliceAddresses[], portName: string): BackendAddress | undefined {
  return anyOf(
    slices
      .filter(({addressType}) => addressType !== 'FQDN')
      .map(({endpoints, ports}) => ({
        addresses: (endpoints ?? [])
          .filter(({conditions}) => conditions?.ready !== false)
          .flatMap(({addresses = []}) => addresses.slice(0, 1).flatMap(addressText)),
        ports: (ports ?? []).filter(({name}) => (name ?? '') === portName).map(({port}) => port ?? 0),
      })),
  );
}

/** Any address on any of its ports, all addresses as likely. They are not listed: there may be millions of pairs. */
function anyOf(all: readonly Backends[]): BackendAddress | undefined {
  const usable = all.filter(({ports}) => ports.length > 0);
  let chosen = randomBelow(usable.reduce((sum, {addresses}) => sum + addresses.length, 0));
  for (const {addresses, ports} of usable) {
    if (chosen < addresses.length) return {host: addresses[chosen]!, port: ports[randomBelow(ports.length)]!};
    chosen -= addresses.length;
  }
  return undefined;
}

function randomBelow(bound: number): number {
  return Math.floor(Math.random() * bound);
}

/** The usual text of an address, in a list: others may be read differently by whoever connects to it. What is no address is left out. */
export function addressText(text: string): string[] {
  const address = parseIp(text);
  return address ? [formatIp(address)] : [];
}
