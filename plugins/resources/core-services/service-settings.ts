import {cidrSize, parseCidr, type Cidr, type IpFamily} from '../../../sdk/net/index.js';
import {NumberRange} from './number-range.js';

/** The plugin's settings; `plugin.json` describes them. */
export interface ServiceSettings {
  /** One block, or one per family. */
  readonly clusterIpRanges: readonly string[];
  /** `FIRST-LAST`. */
  readonly nodePortRange: string;
  readonly proxyToLoopback: boolean;
}

/** The service addresses of one family. */
export interface AddressRange {
  readonly family: IpFamily;
  /** As it was written. */
  readonly text: string;
  readonly cidr: Cidr;
  /** Without the addresses with a special meaning: the first and, in IPv4, the last. */
  readonly numbers: NumberRange;
}

/** Parses the ranges of cluster IPs, the default family first. @throws Error with a one-sentence message */
export function addressRanges({clusterIpRanges}: ServiceSettings): AddressRange[] {
  const ranges = clusterIpRanges.map((text) => {
    const range = addressRange(text);
    if (!range) throw new Error(`--service-cluster-ip-range: ${JSON.stringify(text)} is no block of addresses that services could get`);
    return range;
  });
  const isSound = ranges.length === 1 || (ranges.length === 2 && ranges[0]!.family !== ranges[1]!.family);
  if (!isSound) throw new Error('--service-cluster-ip-range takes one block of addresses, or one of each family');
  return ranges;
}

/** The addresses of a block; undefined if there are none. */
export function addressRange(text: string): AddressRange | undefined {
  const cidr = parseCidr(text);
  const size = cidr ? cidrSize(cidr) - (cidr.family === 'IPv4' ? 2n : 1n) : 0n;
  if (!cidr || size < 1n) return undefined;
  return {family: cidr.family, text, cidr, numbers: new NumberRange(cidr.base + 1n, size)};
}

/** Parses the range of node ports. @throws Error with a one-sentence message */
export function nodePorts({nodePortRange}: ServiceSettings): NumberRange {
  const match = /^(\d{1,5})-(\d{1,5})$/.exec(nodePortRange);
  const first = Number(match?.[1] ?? 0);
  const last = Number(match?.[2] ?? 0);
  if (first < 1 || last > 65535 || last < first)
    throw new Error(`--service-node-port-range: ${JSON.stringify(nodePortRange)} is no range of ports such as 30000-32767`);
  return new NumberRange(BigInt(first), BigInt(last - first + 1), 0n);
}
