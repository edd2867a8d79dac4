import {ConnectionLost, ReplyError} from '../redis-errors.js';
import type {Argument, Endpoint, RedisConnection, RedisDriver, Reply} from './redis-driver.js';

/** The driver over node-redis, with its queueing while disconnected and its reconnecting switched off. */
export async function loadNodeRedisDriver(): Promise<RedisDriver> {
  const {createClient, RESP_TYPES, ErrorReply} = await import('redis');

  function newClient(endpoint: Endpoint, timeoutMillis: number) {
    const common = {
      host: endpoint.host,
      port: endpoint.port,
      connectTimeout: timeoutMillis,
      reconnectStrategy: false as const,
      keepAlive: true,
      keepAliveInitialDelay: 10_000,
      noDelay: true,
    };
    return createClient({
      RESP: 2,
      socket: endpoint.tls === undefined ? common : {...endpoint.tls, ...common, tls: true as const},
      disableOfflineQueue: true,
      disableClientInfo: true,
      maintNotifications: 'disabled',
      commandOptions: {typeMapping: {[RESP_TYPES.BLOB_STRING]: Buffer}},
    });
  }

  class NodeRedisConnection implements RedisConnection {
    readonly ended: Promise<string>;
    reason: string | undefined;
    #resolveEnded!: (reason: string) => void;

    readonly #client: ReturnType<typeof newClient>;

    constructor(client: ReturnType<typeof newClient>) {
      this.#client = client;

      this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
      // With reconnecting switched off every error of the socket is its end.
      client.on('error', (error: Error) =>
        this.#end(error.message || (error as NodeJS.ErrnoException).code || 'the connection was closed'),
      );
      client.on('end', () => this.#end('the connection was closed'));
    }

    send(command: readonly Argument[]): Promise<Reply> {
      return this.#client.sendCommand<Reply>(command).catch((error: Error) => {
        throw error instanceof ErrorReply
          ? new ReplyError(error.message)
          : new ConnectionLost(this.reason ?? error.message, {cause: error});
      });
    }

    end(reason: string): void {
      this.#end(reason);
      // Throws if the client has closed already.
      if (this.#client.isOpen) this.#client.destroy();
    }

    #end(reason: string): void {
      this.reason ??= reason;
      this.#resolveEnded(this.reason);
    }
  }

  return {
    async connect(endpoint: Endpoint, timeoutMillis: number): Promise<RedisConnection> {
      const client = newClient(endpoint, timeoutMillis);
      const connection = new NodeRedisConnection(client);
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
