import type {Server} from 'node:http';
import type {Socket} from 'node:net';
import process from 'node:process';
import {boundHeads} from './head-bytes.js';
import {turn, type Arrival, type Bench, type BenchConnection} from './hook.js';
import {Listener} from './listener.js';

// As in `listener.ts`.
const net = process.getBuiltinModule('node:net');
const host = '127.0.0.1';
const usualHeadBytes = 16 * 1024;

/** Where hooks are probed: a listener as the server's own, without TLS. */
export class ProbeBench implements Bench {
  readonly server: Server;
  #headBytes = usualHeadBytes;
  /** Opening one costs more than most probes do. */
  #released: BenchConnection | undefined;
  readonly #listener: Listener;
  readonly #connections = new Map<number, ProbeConnection>();
  #port = 0;

  private constructor(accepted: (socket: Socket) => void) {
    this.#listener = new Listener({name: 'probe', log: console, arrive: (arrival) => this.#of(arrival.request.socket)?.arrive(arrival)});
    this.server = this.#listener.node;
    boundHeads(this.server, 'connection', () => this.#headBytes);
    this.server.on('connection', accepted);
    this.server.on('clientError', (error: NodeJS.ErrnoException, socket) => this.#of(socket as Socket)?.fail(error.code ?? ''));
  }

  /** @param accepted called with each connection before a hook sees it */
  static async open(accepted: (socket: Socket) => void = () => undefined): Promise<ProbeBench> {
    const bench = new ProbeBench(accepted);
    bench.#port = await bench.#listener.listen(0, host);
    return bench;
  }

  async connect(headBytes?: number): Promise<BenchConnection> {
    const released = this.#released;
    this.#released = undefined;
    if (released && headBytes === undefined) return released;
    this.#headBytes = headBytes ?? usualHeadBytes;
    const accepted = new Promise<Socket>((resolve) => this.server.once('connection', resolve));
    const client = net.connect({port: this.#port, host, noDelay: true});
    const connection = new ProbeConnection(client, await accepted, (free) => (this.#released = free));
    this.#connections.set(connection.socket.remotePort!, connection);
    return connection;
  }

  close(): void {
    for (const {client, socket} of this.#connections.values()) {
      client.destroy();
      socket.destroy();
    }
    this.#listener.stop();
  }

  #of({remotePort}: Socket): ProbeConnection | undefined {
    return this.#connections.get(remotePort!);
  }
}

class ProbeConnection implements BenchConnection {
  onArrival: BenchConnection['onArrival'] = () => undefined;
  readonly #arrived: Arrival[] = [];
  readonly #failure = Promise.withResolvers<string>();
  #arrivals = 0;
  #next = Promise.withResolvers<void>();

  constructor(
    readonly client: Socket,
    readonly socket: Socket,
    readonly released: (connection: BenchConnection) => void,
  ) {
    // What the server sends is of no interest.
    client.resume().on('error', () => undefined);
  }

  get failure(): Promise<string> {
    return this.#failure.promise;
  }

  get hasArrived(): boolean {
    return this.#arrived.length > 0;
  }

  send(text: string): void {
    this.client.write(text, 'latin1');
  }

  async request(text: string): Promise<Arrival> {
    this.send(text);
    while (this.#arrived.length === 0) await this.#next.promise;
    return this.#arrived.shift()!;
  }

  async received(bytes: number): Promise<void> {
    while (this.socket.bytesRead < bytes) await turn();
  }

  release(): void {
    this.onArrival = () => undefined;
    this.#arrivals = 0;
    this.released(this);
  }

  arrive(arrival: Arrival): void {
    this.onArrival(arrival, (this.#arrivals += 1));
    this.#arrived.push(arrival);
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }

  fail(code: string): void {
    this.#failure.resolve(code);
  }
}
