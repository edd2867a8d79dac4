import {setTimeout as sleep} from 'node:timers/promises';
import {Random} from '../../../test/helpers/random.js';
import type {ReadResponse} from '../../../test/helpers/response-reader.js';
import {Connection, type ConnectOptions} from './connection.js';
import {requestText, type RequestParts} from './request-text.js';
import {Tally} from './tally.js';
import type {Besieged, UserName} from './users.js';

export interface AttackerOptions {
  readonly server: Besieged;
  /** A namespace of the attack's own. */
  readonly namespace: string;
  readonly seed: number;
  readonly seconds: number;
}

export interface CallOptions extends RequestParts {
  readonly user?: UserName;
}

export interface FloodOptions {
  readonly user?: UserName | ((connection: number) => UserName);
  readonly connections: number;
  /** Most requests in all; as many as there is time for by default. */
  readonly requests?: number;
  /** The next request, by the number of its connection and its own. */
  readonly request: (connection: number, number: number) => Buffer;
  readonly connect?: ConnectOptions;
}

const answerMillis = 20_000;
/** So long a server that is busy may take to answer what it was sent. */
const hearMillis = 5_000;

/** What an attack does it does through this: it keeps connections together and ends them all, and counts outcomes. */
export class Attacker {
  readonly tally = new Tally();
  readonly random: Random;
  readonly #connections = new Set<Connection>();
  readonly #idle = new Map<UserName, Connection[]>();
  #until = Infinity;

  constructor(readonly options: AttackerOptions) {
    this.random = new Random(options.seed);
  }

  get server(): Besieged {
    return this.options.server;
  }

  get namespace(): string {
    return this.options.namespace;
  }

  /** Whether the time of the attack is over. */
  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  /** Time begins to count. */
  begin(): void {
    this.#until = performance.now() + this.options.seconds * 1000;
  }

  /** The path of a collection in the attack's namespace. `groupVersion` is `v1` by default. */
  path(resource: string, groupVersion?: string): string {
    return `/${groupVersion === undefined ? 'api/v1' : `apis/${groupVersion}`}/namespaces/${this.namespace}/${resource}`;
  }

  /** Opens a connection with TLS; undefined when the server does not want it. */
  async open(options: ConnectOptions = {}): Promise<Connection | undefined> {
    return this.#keep(await Connection.open(this.server, this.tally, options));
  }

  async openTcp(options: ConnectOptions = {}): Promise<Connection | undefined> {
    return this.#keep(await Connection.openTcp(this.server, this.tally, options));
  }

  /** Opens as many connections as the server lets, some at a time, while there is time. */
  async openMany(count: number, open: (number: number) => Promise<Connection | undefined>, atATime = 50): Promise<Connection[]> {
    const opened: Connection[] = [];
    let next = 0;
    const worker = async () => {
      while (next < count && !this.isOver) {
        const connection = await open(next++);
        if (connection) opened.push(connection);
      }
    };
    await Promise.all(Array.from({length: Math.min(atATime, count)}, worker));
    return opened;
  }

  /** Sends a request and answers its response; undefined, and counted, when the server cuts the connection. */
  async call(method: string, path: string, {user = 'tenant', ...parts}: CallOptions = {}): Promise<ReadResponse | undefined> {
    const idle = this.#idle.get(user) ?? [];
    this.#idle.set(user, idle);
    let connection = idle.pop();
    if (!connection || connection.isClosed) connection = await this.open({user});
    if (!connection) return undefined;
    const own = connection;
    const timer = setTimeout(() => {
      this.tally.fault(`${method} ${path.slice(0, 80)}: no answer within ${answerMillis / 1000} s`);
      own.close();
    }, answerMillis);
    try {
      const response = await connection.ask(requestText(method, path, parts));
      idle.push(connection);
      return response;
    } catch {
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  /** As `call`, with all rights, for what an attack needs. @throws Error when it is refused */
  async make(path: string, object: unknown, method = 'POST'): Promise<void> {
    const quiet = new Tally();
    const connection = await Connection.open(this.server, quiet, {user: 'masters', from: '127.0.0.1'});
    const response = await connection?.ask(requestText(method, path, {body: JSON.stringify(object)}));
    connection?.close();
    if (!response || response.status >= 300)
      throw new Error(`preparing ${method} ${path}: ${response?.status ?? 'no answer'} ${response?.body.toString().slice(0, 300)}`);
  }

  /** The status of a GET with all rights. */
  async look(path: string): Promise<number | undefined> {
    const connection = await Connection.open(this.server, new Tally(), {user: 'masters', from: '127.0.0.1'});
    const response = await connection?.ask(requestText('GET', path));
    connection?.close();
    return response?.status;
  }

  /** As `make` for many objects, on one connection. */
  async makeAll(path: string, objects: Iterable<unknown>): Promise<void> {
    const quiet = new Tally();
    const connection = await Connection.open(this.server, quiet, {user: 'masters', from: '127.0.0.1'});
    if (!connection) throw new Error('preparing: no connection');
    for (const object of objects) {
      const response = await connection.ask(requestText('POST', path, {body: JSON.stringify(object)}));
      if (response.status >= 300) throw new Error(`preparing ${path}: ${response.status} ${response.body.toString().slice(0, 300)}`);
    }
    connection.close();
  }

  /** Does something several times, some at a time, while there is time. */
  async repeat(times: number, atATime: number, action: (number: number) => Promise<unknown>): Promise<void> {
    let next = 0;
    const worker = async () => {
      while (next < times && !this.isOver) await action(next++);
    };
    await Promise.all(Array.from({length: Math.min(atATime, times)}, worker));
  }

  /** Requests one behind the other on each of several connections, as fast as they are answered, whatever the answers say. */
  async flood({user = 'tenant', connections, requests = Infinity, request, connect = {}}: FloodOptions): Promise<void> {
    let sent = 0;
    const one = async (number: number): Promise<void> => {
      let connection: Connection | undefined;
      for (let own = 0; !this.isOver && sent < requests; own++) {
        sent++;
        if (!connection || connection.isClosed)
          connection = await this.open({...connect, user: typeof user === 'function' ? user(number) : user});
        // Refused: a flood comes back, but does not spin.
        if (!connection) await sleep(20);
        else await connection.ask(request(number, own)).catch(() => undefined);
      }
    };
    await Promise.all(Array.from({length: connections}, (_, number) => one(number)));
  }

  /**
   * Sends many requests at once on each connection and reads nothing for the time of the attack; then what the server has sent until then is
   * looked at.
   */
  async pipeline(connections: number, request: Buffer, count: number, options: ConnectOptions = {}): Promise<void> {
    const opened = await this.openMany(connections, () => this.open({user: 'tenant', ...options, deaf: true}));
    const some = Math.min(count, Math.max(1, Math.floor(65_536 / request.length)));
    const bytes = Buffer.concat(Array.from({length: some}, () => request));
    for (const connection of opened) for (let sent = 0; sent < count; sent += some) connection.write(bytes);
    await this.hold();
    await this.hear(opened);
  }

  /** Reads what connections were sent until now: until one of them has an answer, and for a little longer. */
  async hear(connections: readonly Connection[]): Promise<void> {
    for (const connection of connections) connection.listen();
    const until = performance.now() + hearMillis;
    while (performance.now() < until && connections.some(({isClosed}) => !isClosed) && !connections.some(({isAnswered}) => isAnswered))
      await sleep(20);
    await sleep(100);
  }

  /** Waits until the time of the attack is over, and counts the connections that the server has neither answered nor cut by then. */
  async hold(connections: readonly Connection[] = []): Promise<void> {
    const left = this.#until - performance.now();
    if (left > 0) await sleep(left);
    for (const connection of connections) if (!connection.isClosed && !connection.isAnswered) this.tally.add('held');
  }

  /** Sends one part after the other on all connections, with a pause between, until time is over or all parts are sent. */
  async drip(connections: readonly Connection[], parts: Iterable<string | Buffer>, pauseMillis: number): Promise<void> {
    for (const part of parts) {
      if (this.isOver) break;
      for (const connection of connections) connection.write(part);
      await sleep(pauseMillis);
    }
    await this.hold(connections);
  }

  /** Ends all connections. */
  end(): void {
    for (const connection of this.#connections) connection.close();
    this.#connections.clear();
    this.#idle.clear();
  }

  #keep(connection: Connection | undefined): Connection | undefined {
    if (!connection) return undefined;
    this.#connections.add(connection);
    connection.socket.once('close', () => this.#connections.delete(connection));
    return connection;
  }
}
