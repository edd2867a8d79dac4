import {createServer, type AddressInfo, type Server, type Socket} from 'node:net';
import {listenProblem} from '../http/server.js';

/** Listens for several processes, and reads nothing of the connections. */
export class SharedListener {
  readonly #server: Server;
  readonly port: number;

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  /** @throws Error in one sentence if it cannot listen on the address */
  static open(bindAddress: string, port: number, onConnection: (socket: Socket) => void): Promise<SharedListener> {
    const server = createServer({pauseOnConnect: true}, onConnection);
    return new Promise((resolve, reject) => {
      const fail = (error: NodeJS.ErrnoException) => reject(new Error(listenProblem(error, bindAddress, port), {cause: error}));
      server.once('error', fail);
      server.listen(port, bindAddress, () => {
        server.off('error', fail);
        // As too many open files: the connection is refused, and the next may do.
        server.on('error', () => undefined);
        resolve(new SharedListener(server));
      });
    });
  }

  /** Accepts no further connections. Those that were handed on stay. */
  close(): void {
    this.#server.close();
  }
}
