import {isIP} from 'node:net';
import {networkInterfaces} from 'node:os';
import {isGlobalUnicast, isLoopback, parseIp} from '../../sdk/net/index.js';

/**
 * The address that a server advertises: the one given; else the one it listens on; for a wildcard the first of the machine's that others can
 * reach. A server that listens on a loopback address only is reached there and nowhere else.
 *
 * @throws Error in one sentence for a given address that nobody could reach
 */
export function advertiseAddress(given: string | undefined, bindAddress: string): string {
  if (given !== undefined) {
    const address = parseIp(given);
    if (!address || !(isGlobalUnicast(address) || isLoopback(address))) {
      throw new Error(`--advertise-address must be an IP address at which others reach the server, not ${JSON.stringify(given)}`);
    }
    return given;
  }
  const bound = bindAddress.split('%', 1)[0]!;
  const wildcard = bound === '0.0.0.0' || bound === '::';
  if (isIP(bound) && !wildcard) return bound;
  const own = wildcard ? machineAddresses(bound === '::') : [];
  return own[0] ?? '127.0.0.1';
}

/** Addresses of the machine that others can reach; those of IPv4 first, because servers that listen on `::` have them too. */
function machineAddresses(both: boolean): string[] {
  const all = Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter(({internal, address}) => !internal && isGlobalUnicast(parseIp(address)!));
  const of = (family: string) => all.filter((entry) => entry.family === family).map(({address}) => address);
  return both ? [...of('IPv4'), ...of('IPv6')] : of('IPv4');
}
