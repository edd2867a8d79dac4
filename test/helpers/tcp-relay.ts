import {connect, createServer, type AddressInfo, type Socket} from 'node:net';
import type {Teardown} from './temp-folder.js';

/** A relay before a server, for tests of what clients do when connections break. */
export interface TcpRelay {
  /** As the server's own, with the relay's port. */
  readonly url: string;
  /** Connections that were made so far. */
  readonly accepted: number;
  /** Connections that are open now. */
  readonly open: number;
  /** Cuts all connections off. */
  drop(): void;
  /** While refusing, new connections are cut off at once. */
  refuse(refusing: boolean): void;
}

/** Passes bytes on between a free port of 127.0.0.1 and a server. Ends with the test. */
export async function tcpRelay(t: Teardown, target: string): Promise<TcpRelay> {
  const {hostname, port, protocol} = new URL(target);
  const sockets = new Set<Socket>();
  let accepted = 0;
  let refusing = false;
  const server = createServer((near) => {
    if (refusing) {
      near.destroy();
      return;
    }
    accepted++;
    const far = connect(Number(port), hostname);
    sockets.add(near);
    near.pipe(far).pipe(near);
    const end = () => {
      sockets.delete(near);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.on('error', end).on('close', end);
  });
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(async () => {
    drop();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url: `${protocol}//127.0.0.1:${(server.address() as AddressInfo).port}`,
    get accepted() {
      return accepted;
    },
    get open() {
      return sockets.size;
    },
    drop,
    refuse: (value) => {
      refusing = value;
    },
  };
}
