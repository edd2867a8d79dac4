import type {Socket} from 'node:net';
import type {TLSSocket} from 'node:tls';
import type {HttpLimits} from '../limits/http-limits.js';
import type {LimitLog} from '../limits/limit-log.js';
import {addressKey} from './address-key.js';
import type {ClientConnection} from './client-connection.js';
import {Connection, type ConnectionOwner} from './connection.js';

export type TableLimits = Pick<HttpLimits, 'maxConnections' | 'maxConnectionsPerAddress' | 'maxUnknownConnections' | 'maxHandshakes'>;

/** What makes connections of one protocol. */
export type ConnectionClass<C extends ClientConnection> = new (
  socket: TLSSocket,
  transport: Socket,
  address: string,
  owner: ConnectionOwner,
) => C;

/**
 * All connections of the server, including those in their handshake, and their limits. The connection that has been idle longest is closed to make
 * room for a new one: clients must expect that at any time, and a client that hoards idle connections loses them.
 */
export class ConnectionTable {
  readonly #transports = new Set<Socket>();
  readonly #connections = new Map<Socket, ClientConnection>();
  readonly #byAddress = new Map<string, number>();
  /** Handshakes in progress by the client's address and port, oldest first. */
  readonly #handshakes = new Map<string, Socket>();
  /** Idle connections, longest idle first. */
  readonly #idle = {known: new Set<ClientConnection>(), unknown: new Set<ClientConnection>()};
  #unknown = 0;
  /** Called when no connection is left. */
  #whenEmpty: (() => void)[] = [];

  readonly #limits: TableLimits;
  readonly #owner: ConnectionOwner;
  readonly #log: LimitLog;

  constructor(limits: TableLimits, owner: ConnectionOwner, log: LimitLog) {
    this.#limits = limits;
    this.#owner = owner;
    this.#log = log;
  }

  /** Counts a new connection before its handshake. Destroys it if there are too many. */
  accept(transport: Socket): void {
    const {remoteAddress} = transport;
    // It has closed already.
    if (remoteAddress === undefined) return void transport.destroy();
    const address = addressKey(remoteAddress);
    const ofAddress = this.#byAddress.get(address) ?? 0;
    if (ofAddress >= this.#limits.maxConnectionsPerAddress) return this.#refuse(transport, 'maxConnectionsPerAddress', address);
    if (this.#transports.size >= this.#limits.maxConnections && !this.#closeIdle('maxConnections', ['unknown', 'known']))
      return this.#refuse(transport, 'maxConnections', address);
    this.#transports.add(transport);
    this.#byAddress.set(address, ofAddress + 1);
    const handshake = portKey(transport);
    this.#handshakes.set(handshake, transport);
    if (this.#handshakes.size > this.#limits.maxHandshakes) this.#closeOldestHandshake();
    transport.once('close', () => {
      this.#transports.delete(transport);
      this.#handshakes.delete(handshake);
      if (this.#transports.size === 0) for (const emptied of this.#whenEmpty.splice(0)) emptied();
      const left = this.#byAddress.get(address)! - 1;
      if (left === 0) this.#byAddress.delete(address);
      else this.#byAddress.set(address, left);
    });
  }

  /**
   * Adds a connection after its handshake. Returns undefined and destroys it if there is no room.
   *
   * @param Protocol what serves it
   */
  secure<C extends ClientConnection>(socket: TLSSocket, Protocol: ConnectionClass<C>): C | undefined {
    const handshake = portKey(socket);
    const transport = this.#handshakes.get(handshake);
    this.#handshakes.delete(handshake);
    if (!transport || transport.destroyed) return void socket.destroy();
    const connection = new Protocol(socket, transport, addressKey(transport.remoteAddress ?? ''), this.#owner);
    if (
      !connection.known &&
      this.#unknown >= this.#limits.maxUnknownConnections &&
      !this.#closeIdle('maxUnknownConnections', ['unknown'])
    ) {
      this.#refuse(socket, 'maxUnknownConnections', connection.address);
      return undefined;
    }
    this.#connections.set(socket, connection);
    if (!connection.known) this.#unknown += 1;
    this.#idleSet(connection).add(connection);
    socket.once('close', () => this.#remove(connection));
    return connection;
  }

  /** A connection of HTTP/1.1. */
  of(socket: Socket): Connection | undefined {
    const connection = this.#connections.get(socket);
    return connection instanceof Connection ? connection : undefined;
  }

  get size(): number {
    return this.#transports.size;
  }

  /** Resolves when all connections have closed. */
  emptied(): Promise<void> {
    return this.#transports.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#whenEmpty.push(resolve));
  }

  /** Connections that have finished their handshake. */
  get connections(): Iterable<ClientConnection> {
    return this.#connections.values();
  }

  /** All sockets below TLS. */
  get transports(): Iterable<Socket> {
    return this.#transports;
  }

  /** A connection has become busy or idle. */
  busyChanged(connection: ClientConnection): void {
    if (!connection.isIdle) this.#idleSet(connection).delete(connection);
    else if (this.#connections.has(connection.socket)) this.#idleSet(connection).add(connection);
  }

  /** The client of a busy connection has authenticated. */
  identified(connection: ClientConnection): void {
    if (connection.known || !this.#connections.has(connection.socket)) return;
    connection.known = true;
    this.#unknown -= 1;
  }

  #idleSet({known}: ClientConnection): Set<ClientConnection> {
    return known ? this.#idle.known : this.#idle.unknown;
  }

  #remove(connection: ClientConnection): void {
    this.#connections.delete(connection.socket);
    this.#idleSet(connection).delete(connection);
    if (!connection.known) this.#unknown -= 1;
    connection.closed();
  }

  #refuse(socket: Socket, limit: string, address: string): void {
    this.#log.acted(limit, 'a connection was refused', {address});
    socket.destroy();
  }

  /** Makes room for one connection. Returns false if none is idle. */
  #closeIdle(limit: string, kinds: readonly ('known' | 'unknown')[]): boolean {
    for (const kind of kinds) {
      const [oldest] = this.#idle[kind];
      if (!oldest) continue;
      this.#log.acted(limit, 'an idle connection was closed for a new one', {address: oldest.address});
      oldest.socket.destroy();
      // It stays in the count until it has closed, so it must not be chosen again.
      this.#idle[kind].delete(oldest);
      return true;
    }
    return false;
  }

  #closeOldestHandshake(): void {
    const [[key, oldest]] = this.#handshakes as unknown as [[string, Socket]];
    this.#handshakes.delete(key);
    this.#log.acted('maxHandshakes', 'the oldest unfinished TLS handshake was closed for a new one', {
      address: addressKey(oldest.remoteAddress ?? ''),
    });
    oldest.destroy();
  }
}

/** The same for a socket below TLS and above it. */
function portKey({remoteAddress, remotePort}: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
