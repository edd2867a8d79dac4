import {startTestServer, type ServerOptions, type TestServer} from '@orch-api/orch/testing';
import {startRedis} from './redis-server.js';
import type {Teardown} from './temp-folder.js';

/** The stores and the naming profiles, each at least once: what the console shows is tried on both. */
export const consoleKinds = [
  {store: 'memory', platform: 'orch'},
  {store: 'redis', platform: 'kubernetes'},
] as const;

/** A server with the console on, stopped at the end of the test. */
export async function consoleServer(
  t: Teardown,
  {store, platform}: (typeof consoleKinds)[number],
  options: ServerOptions = {},
): Promise<TestServer> {
  const url = store === 'redis' ? `${(await startRedis(t)).url}/0` : 'memory';
  const server = await startTestServer({store: url, platform, enableConsole: true, ...options});
  t.teardown(() => server.stop());
  return server;
}

/** Servers that the tests of a file share: `start` for each kind once, when it is first asked for. `stop` is for after the last test. */
export function sharedServers(options: ServerOptions = {}) {
  const ends: (() => void | Promise<void>)[] = [];
  const file = {teardown: (end: () => void | Promise<void>) => void ends.push(end)};
  const running = new Map<(typeof consoleKinds)[number], Promise<TestServer>>();
  return {
    start: (kind: (typeof consoleKinds)[number]) => {
      const server = running.get(kind) ?? consoleServer(file, kind, options);
      running.set(kind, server);
      return server;
    },
    stop: async () => {
      for (const end of ends.splice(0).reverse()) await end();
    },
  };
}
