import test from 'ava';
import {once} from 'node:events';
import {createServer, type Server} from 'node:net';
import {definePlugin, defineRoute} from '@orch-api/orch/sdk';
import {startTestServer} from '@orch-api/orch/testing';

const route = (start: () => void) =>
  definePlugin({name: 'leaky'}, [
    defineRoute({
      path: '/leaky',
      methods: ['GET'],
      create: () => ({start: async () => start(), handle: (_request, response) => void response.end()}),
    }),
  ]);

/** The warnings of a server with this plugin when it has stopped. */
async function warnings(start: () => void): Promise<string[]> {
  const found: string[] = [];
  const keep = (warning: Error & {code?: string}) => void (warning.code === 'ORCH_LEFT_BEHIND' && found.push(warning.message));
  process.on('warning', keep);
  const server = await startTestServer({plugins: [route(start)]});
  await server.stop();
  // Warnings are told in a later turn.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', keep);
  return found;
}

test.serial('a timer that a plugin leaves behind is named with the plugin and its place', async (t) => {
  let timer: NodeJS.Timeout | undefined;
  const found = await warnings(() => (timer = setInterval(() => undefined, 60_000)));
  clearInterval(timer);
  t.is(found.length, 1);
  t.regex(found[0]!, /keeps the process from ending: a timer of the plugin leaky made at \S+left-behind\.test\.[jt]s:\d+:\d+$/);
});

test.serial('a socket that a plugin leaves behind is told by its kind', async (t) => {
  let listener: Server | undefined;
  const found = await warnings(() => (listener = createServer().listen(0, '127.0.0.1')));
  listener!.close();
  await once(listener!, 'close');
  t.regex(found.join(), /1 × TCPServerWrap/);
});

test.serial('a plugin that leaves nothing, or nothing that keeps the process, is not told of', async (t) => {
  t.deepEqual(await warnings(() => setInterval(() => undefined, 60_000).unref()), []);
  t.deepEqual(await warnings(() => clearTimeout(setTimeout(() => undefined, 60_000))), []);
});
