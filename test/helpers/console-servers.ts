import type {ExecutionContext} from 'ava';
import {startTestServer, type ServerOptions, type TestServer} from '@orch-api/orch/testing';
import {startRedis} from './redis-server.js';

/** The stores and the naming profiles, each at least once: what the console shows is tried on both. */
export const consoleKinds = [
  {store: 'memory', platform: 'orch'},
  {store: 'redis', platform: 'kubernetes'},
] as const;

/** A server with the console on, stopped at the end of the test. */
export async function consoleServer(
  t: ExecutionContext,
  {store, platform}: (typeof consoleKinds)[number],
  options: ServerOptions = {},
): Promise<TestServer> {
  const url = store === 'redis' ? `${(await startRedis(t)).url}/0` : 'memory';
  const server = await startTestServer({store: url, platform, enableConsole: true, ...options});
  t.teardown(() => server.stop());
  return server;
}
