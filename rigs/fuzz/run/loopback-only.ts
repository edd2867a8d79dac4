import dns from 'node:dns';
import {isIP, Socket} from 'node:net';

/** Options of a connection as `net` has them. */
interface Target {
  readonly host?: string | null;
  readonly path?: string | null;
}

const isLoopback = (host: string) => /^127\.|^::1$|^::ffff:127\./.test(host) || host === 'localhost';

/**
 * Lets this process connect to nobody but this machine. Made-up objects name addresses of services, pods, nodes and webhooks, and the server does
 * what it is told: it would knock at doors of strangers.
 */
export function stayOnLoopback(): void {
  const connect = Socket.prototype.connect;
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]): Socket {
    // `net` hands its own arguments on as a list.
    const given = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
    const target: Target =
      typeof given[0] === 'object' && given[0] !== null ? given[0] : {host: typeof given[1] === 'string' ? given[1] : 'localhost'};
    const host = target.host ?? 'localhost';
    if (typeof target.path === 'string' || isLoopback(host) || isIP(host) === 0)
      return connect.apply(this, args as Parameters<typeof connect>);
    process.nextTick(() => this.destroy(Object.assign(new Error(`connect EHOSTUNREACH ${host}`), {code: 'EHOSTUNREACH'})));
    return this;
  } as typeof connect;
  // Names are asked for by the connection itself.
  const refuse = (name: string) => Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), {code: 'ENOTFOUND'});
  const lookup = dns.lookup;
  (dns as {lookup: unknown}).lookup = function (name: string, ...rest: unknown[]): void {
    if (isLoopback(name)) return void Reflect.apply(lookup, dns, [name, ...rest]);
    const callback = rest.at(-1) as (error: Error) => void;
    process.nextTick(() => callback(refuse(name)));
  };
}
