import type {ExecutionContext} from 'ava';
import {once} from 'node:events';
import {connect, createServer, type Server, type Socket} from 'node:net';

interface Pair {
  readonly client: Socket;
  readonly upstream: Socket;
  held: Buffer[];
  heldReplies: Buffer[];
  silent: boolean;
  requests: string;
}

/** Stands between a store and Redis and does what networks do: loses answers, delays requests, cuts, falls silent. */
export class TcpProxy {
  /** Requests are kept back, also beyond the end of their connection, until `release`. */
  holdRequests = false;
  /** Answers are thrown away. */
  dropReplies = false;
  /** Which answers are kept back, with all that follow on their connections, until `releaseReplies`; judged by what was ever asked over the connection. */
  holdsReply: ((reply: string, requests: string) => boolean) | undefined;
  /** New connections are closed at once. */
  refuse = false;
  readonly #pairs = new Set<Pair>();
  readonly #server: Server;

  private constructor(private upstreamPort: number) {
    this.#server = createServer((client) => this.#accept(client));
  }

  static async start(t: ExecutionContext, upstreamPort: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(upstreamPort);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    t.teardown(() => {
      proxy.#server.close();
      for (const {client, upstream} of proxy.#pairs) {
        client.destroy();
        upstream.destroy();
      }
    });
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as {port: number}).port;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** How many bytes of requests are kept back. */
  get heldBytes(): number {
    return [...this.#pairs].reduce((sum, {held}) => sum + Buffer.concat(held).length, 0);
  }

  /** The answers that are kept back. */
  get heldReplies(): string {
    return Buffer.concat([...this.#pairs].flatMap(({heldReplies}) => heldReplies)).toString('latin1');
  }

  /** Hands on the answers that were kept back. */
  releaseReplies(): void {
    this.holdsReply = undefined;
    for (const pair of this.#pairs) for (const data of pair.heldReplies.splice(0)) pair.client.write(data);
  }

  /** The connections that there are now carry nothing any more, without being closed. New ones do. */
  silence(): void {
    for (const pair of this.#pairs) pair.silent = true;
  }

  /** Cuts all connections and leads new ones to another server, as a failover does. */
  switchTo(upstreamPort: number): void {
    this.upstreamPort = upstreamPort;
    this.cut();
  }

  /** Cuts the connections on the store's side only: Redis does not learn of it. */
  cut(): void {
    for (const {client} of this.#pairs) client.destroy();
  }

  /** Hands the requests that were kept back to Redis, in the name of their old connections. */
  release(): void {
    for (const pair of this.#pairs) {
      for (const data of pair.held) pair.upstream.write(data);
      pair.held = [];
    }
  }

  #accept(client: Socket): void {
    if (this.refuse) {
      client.destroy();
      return;
    }
    const pair: Pair = {client, upstream: connect(this.upstreamPort, '127.0.0.1'), held: [], heldReplies: [], silent: false, requests: ''};
    this.#pairs.add(pair);
    client.on('data', (data) => {
      pair.requests += data.toString('latin1');
      if (this.holdRequests) pair.held.push(data);
      else if (!pair.silent) pair.upstream.write(data);
    });
    pair.upstream.on('data', (data) => {
      const isHeld = pair.heldReplies.length > 0 || this.holdsReply?.(data.toString('latin1'), pair.requests) === true;
      if (isHeld) return void pair.heldReplies.push(data);
      if (!this.dropReplies && !pair.silent && !client.destroyed) client.write(data);
    });
    client.on('error', () => undefined);
    pair.upstream.on('error', () => undefined);
    pair.upstream.on('close', () => {
      client.destroy();
      this.#pairs.delete(pair);
    });
  }
}
