import {formatIp, parseIp} from '../../../sdk/net/index.js';

/** One of the addresses behind a service. */
export interface BackendAddress {
  /** Name or address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** The parts of Endpoints needed here. */
export interface EndpointSubsets {
  readonly subsets?: readonly {
    readonly addresses?: readonly {readonly ip?: string}[];
    readonly ports?: readonly {readonly name?: string; readonly port?: number}[];
  }[];
}

/** The parts of an EndpointSlice needed here. */
export interface EndpointSliceAddresses {
  readonly addressType?: string;
  readonly endpoints?: readonly {readonly addresses?: readonly string[]; readonly conditions?: {readonly ready?: boolean | null}}[] | null;
  readonly ports?: readonly {readonly name?: string | null; readonly port?: number | null}[] | null;
}

/** Ready addresses, each on all of the ports. */
interface Backends {
  readonly addresses: readonly string[];
  readonly ports: readonly number[];
}

/** A ready address behind the service port with the given name (empty for a port without a name). Undefined if there are none. */
export function readyAddress({subsets = []}: EndpointSubsets, portName: string): BackendAddress | undefined {
  return anyOf(
    subsets.map(({addresses = [], ports = []}) => ({
      addresses: addresses.flatMap(({ip = ''}) => addressText(ip)),
      ports: ports.filter(({name = ''}) => name === portName).map(({port = 0}) => port),
    })),
  );
}

/**
 * Like `readyAddress`, from slices. An endpoint without a ready condition counts as ready, and its first address is used. Slices with names
 * instead of addresses are skipped.
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

/**
 * A random address on any of its ports, each address with the same probability. The pairs are not listed, because there may be millions.
 */
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

/**
 * The canonical text of an address, in a list, because other forms may be interpreted differently when connecting. Empty if it is not an
 * address.
 */
export function addressText(text: string): string[] {
  const address = parseIp(text);
  return address ? [formatIp(address)] : [];
}
