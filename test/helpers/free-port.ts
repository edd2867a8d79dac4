import {once} from 'node:events';
import {createServer} from 'node:net';

/** Ports below those that systems give to connections and to servers that leave the choice to them: nobody takes one of these by chance. */
const lowest = 12_000;
const count = 10_000;

/**
 * A port of 127.0.0.1 that was free a moment ago, for programs that cannot choose one themselves, or have to come back on the same one. The port
 * 10,000 above it, which a node of a Redis cluster takes as well, is none of these either.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * count);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
