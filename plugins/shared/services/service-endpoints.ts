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
  readonly endpoints?: readonly {readonly addresses?: readonly string[]; readonly conditions?: {readonly ready?: boolean | null}}[] | null;
  readonly ports?: readonly {readonly name?: string | null; readonly port?: number | null}[] | null;
}

/** Addresses that are ready behind the port of a service that has the given name; a port without a name is called ``. */
export function readyAddresses({subsets = []}: EndpointSubsets, portName: string): BackendAddress[] {
  return subsets.flatMap(({addresses = [], ports = []}) =>
    ports.filter(({name = ''}) => name === portName).flatMap(({port = 0}) => addresses.map(({ip = ''}) => ({host: ip, port}))),
  );
}

/** As `readyAddresses`, of a slice. An endpoint that does not say whether it is ready counts as ready. */
export function readySliceAddresses({endpoints, ports}: EndpointSliceAddresses, portName: string): BackendAddress[] {
  const ready = (endpoints ?? []).filter(({conditions}) => conditions?.ready !== false);
  return (ports ?? [])
    .filter(({name}) => (name ?? '') === portName)
    .flatMap(({port}) => ready.flatMap(({addresses = []}) => addresses.slice(0, 1).map((host) => ({host, port: port ?? 0}))));
}

/** Any one of several. */
export function oneOf<T>(candidates: readonly T[]): T | undefined {
  return candidates[Math.floor(Math.random() * candidates.length)];
}
