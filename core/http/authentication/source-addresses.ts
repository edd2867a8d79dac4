import {isIP} from 'node:net';
import type {Exchange} from '../request/exchange.js';

/** Maximum number of addresses taken from headers. */
const maximumAddresses = 100;

/**
 * Where a request comes from, as Kubernetes reads it: the addresses in `X-Forwarded-For`, that in `X-Real-Ip`, and at last the connection's own, which
 * alone cannot be made up. What is no address is left out.
 */
export function sourceAddresses({request, socket}: Pick<Exchange, 'request' | 'socket'>): string[] {
  const found: string[] = [];
  const forwarded = request.headersDistinct['x-forwarded-for']?.[0];
  for (const text of forwarded?.split(',', maximumAddresses) ?? []) {
    const address = addressOf(text.trim());
    if (address !== undefined) found.push(address);
  }
  const real = request.headersDistinct['x-real-ip']?.[0];
  const realAddress = real === undefined ? undefined : addressOf(real);
  if (realAddress !== undefined && !found.includes(realAddress)) found.push(realAddress);
  const remote = addressOf(socket.remoteAddress ?? '');
  if (remote !== undefined && found.at(-1) !== remote) found.push(remote);
  return found;
}

/** An address in its usual form; of IPv4 in the form of IPv6 the former. */
function addressOf(text: string): string | undefined {
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1] ?? text;
  // Older clients write leading zeros, which Go's parser of headers takes.
  const address = plain.includes(':') ? plain.toLowerCase() : plain.replaceAll(/\b0+(?=\d)/g, '');
  return isIP(address) === 0 || address.includes('%') ? undefined : address;
}
