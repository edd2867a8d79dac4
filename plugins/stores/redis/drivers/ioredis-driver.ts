import type {Redis} from 'ioredis';
import {ConnectionLost, ReplyError} from '../redis-errors.js';
import type {Argument, Endpoint, RedisConnection, RedisDriver, Reply} from './redis-driver.js';

/** The driver over `ioredis`, whose queues, retries and ready checks are all switched off. */
export async function loadIoredisDriver(): Promise<RedisDriver> {
  const {Redis} = await import('ioredis');
  return {
    async connect(endpoint: Endpoint, timeoutMillis: number): Promise<RedisConnection> {
      const client = new Redis({
        host: endpoint.host,
        port: endpoint.port,
        tls: endpoint.tls,
        protocol: 2,
        lazyConnect: true,
        connectTimeout: timeoutMillis,
        keepAlive: 10_000,
        noDelay: true,
        retryStrategy: null,
        maxRetriesPerRequest: null,
        enableOfflineQueue: false,
        autoResendUnfulfilledCommands: false,
        autoResubscribe: false,
        enableReadyCheck: false,
        disableClientInfo: true,
      });
      const connection = new IoredisConnection(client);
      try {
        await client.connect();
      } catch (error) {
        const reason = connection.reason ?? (error as Error).message;
        connection.end(reason);
        throw new ConnectionLost(reason, {cause: error});
      }
      return connection;
    },
  };
}

class IoredisConnection implements RedisConnection {
  readonly ended: Promise<string>;
  /** The error of the socket, which is more precise than ioredis' "Connection is closed". */
  reason: string | undefined;
  #corked = false;
  readonly #client: Redis;

  constructor(client: Redis) {
    this.#client = client;
    client.on('error', (error: Error) => (this.reason ??= error.message || (error as NodeJS.ErrnoException).code));
    this.ended = new Promise((resolve) => {
      client.once('end', () => resolve(this.reason ?? 'the connection was closed'));
    });
  }

  send(command: readonly Argument[], atOnce = false): Promise<Reply> {
    if (!atOnce) this.#cork();
    return (this.#client.callBuffer(...(command as [string, ...Argument[]])) as Promise<Reply>).catch((error: Error) => {
      throw error.name === 'ReplyError'
        ? new ReplyError(error.message)
        : new ConnectionLost(this.reason ?? 'the connection was closed', {cause: error});
    });
  }

  end(reason: string): void {
    this.reason ??= reason;
    this.#client.disconnect();
    // A half-open socket would keep the process alive until its goodbye is acknowledged.
    this.#client.stream?.destroy();
  }

  /** Buffers writes until the end of this turn of the event loop, so that they leave in one system call. */
  #cork(): void {
    const {stream} = this.#client;
    if (this.#corked || stream === undefined || stream === null) return;
    this.#corked = true;
    stream.cork();
    setImmediate(() => {
      this.#corked = false;
      stream.uncork();
    });
  }
}
