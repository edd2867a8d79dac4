import {randomBytes} from 'node:crypto';
import {rm} from 'node:fs/promises';
import {createServer, type Server, type Socket} from 'node:net';
import type {Store} from '../../../sdk/index.js';
import {HeadFile, type WritableHead} from './head-file.js';
import {encodeFrame} from './frames.js';
import {protocol, type Hello} from './messages.js';
import {ServedConnection} from './served-connection.js';

/** Lets other processes of this machine use a store that this process has to itself. */
export class StoreServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #path: string;
  readonly #head: WritableHead;

  private constructor(store: Store, path: string, head: WritableHead, hello: Hello) {
    this.#path = path;
    this.#head = head;
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      socket.write(encodeFrame(hello));
      new ServedConnection(socket, store, head).start();
    });
  }

  /**
   * Listens at a socket, whose folder must be closed to other users: whoever can connect may change everything.
   *
   * @throws Error in one sentence
   */
  static async listen(store: Store, path: string): Promise<StoreServer> {
    if (store.exclusive !== true || store.shards !== 1) {
      throw new Error('only a store that one process has to itself, and that has one shard, is handed on to other processes');
    }
    const headFile = `${path}.head`;
    const term = randomBytes(6).readUIntLE(0, 6) + 1;
    const head = HeadFile.write(headFile, term, await store.revision(0));
    const epoch = store.epoch ?? String(term);
    const server = new StoreServer(store, path, head, {hello: protocol, durability: store.durability, epoch, term, headFile});
    // That of a process that was killed.
    await rm(path, {force: true});
    await new Promise<void>((resolve, reject) => {
      server.#server.once('error', (error) => reject(new Error(`cannot listen at ${path}: ${error.message}`, {cause: error})));
      server.#server.listen({path, readableAll: false, writableAll: false}, resolve);
    });
    return server;
  }

  /** Cuts all connections. The store stays open. */
  async close(): Promise<void> {
    this.#head.close();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    await rm(this.#path, {force: true});
  }
}
