import {once} from 'node:events';
import {connect, createServer, type Server, type Socket} from 'node:net';
import type {Teardown} from '../../../test/helpers/temp-folder.js';

/** Stands between a server and its Redis as a network that can be parted, in one direction too. Parted connections stay open and carry nothing. */
export class VerifyProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #requests = true;
  #answers = true;

  private constructor(upstream: number) {
    this.#server = createServer((near) => {
      const far = connect(upstream, '127.0.0.1');
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on('error', () => undefined);
        socket.once('close', () => {
          this.#sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
      }
      // A network that lost bytes of a connection has lost the connection: it never carries anything again.
      let requests = true;
      let answers = true;
      near.on('data', (data) => {
        requests &&= this.#requests;
        if (requests) far.write(data);
      });
      far.on('data', (data) => {
        answers &&= this.#answers;
        if (answers) near.write(data);
      });
    });
  }

  static async start(t: Teardown, upstream: number): Promise<VerifyProxy> {
    const proxy = new VerifyProxy(upstream);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    t.teardown(() => {
      proxy.#server.close();
      for (const socket of proxy.#sockets) socket.destroy();
    });
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as {port: number}).port;
  }

  part(requests: boolean, answers: boolean): void {
    this.#requests = !requests;
    this.#answers = !answers;
  }

  heal(): void {
    this.part(false, false);
  }
}
