import test from 'ava';
import {createServer} from '@orch-api/orch';
import {defineRoute, defineService, definePlugin, serviceToken, type PluginDefinition} from '@orch-api/orch/sdk';
import {startTestServer} from '@orch-api/orch/testing';

interface Calendar {
  isFree(room: string): boolean;
  fail(): void;
}

const calendar = serviceToken<Calendar>('rooms.example.com/calendar');
const own = 'rooms.example.com/calendar';
const events: string[] = [];

const providing = (head: object = {}, version?: string): PluginDefinition =>
  definePlugin({name: 'calendars', config: {type: 'object', properties: {taken: {type: 'string', default: 'attic'}}}, ...head}, [
    defineService({
      token: calendar,
      ...(version && {version}),
      create: ({config}) => ({
        start: () => void events.push('calendar starts'),
        stop: () => void events.push('calendar stops'),
        isFree: (room) => room !== config.taken,
        fail: () => {
          throw new Error('no calendar today');
        },
      }),
    }),
  ]);

const using = (requires: readonly (string | {service: string; version?: string})[], name = 'bookings'): PluginDefinition =>
  definePlugin({name, requires}, [
    defineRoute({
      path: `/${name}/*`,
      methods: ['GET'],
      create: ({inject}) => {
        const rooms = inject(calendar);
        return {
          start: () => void events.push(`${name} starts`),
          stop: () => void events.push(`${name} stops`),
          handle: ({path}, response) => {
            if (path.endsWith('/fail')) rooms.fail();
            response.end(String(rooms.isFree(path.split('/').at(-1)!)));
          },
        };
      },
    }),
  ]);

test.serial('a plugin injects the service of another, which is constructed and started before it, whatever their order', async (t) => {
  const server = await startTestServer({plugins: [using([{service: own, version: '^1.2.0'}]), providing({}, '1.3.0')]});
  t.is((await server.client.get('/bookings/attic')).body.toString(), 'false');
  t.is((await server.client.get('/bookings/cellar')).body.toString(), 'true');
  t.is((await server.client.get('/bookings/fail')).status, 500);
  await server.stop();
  t.deepEqual(events, ['calendar starts', 'bookings starts', 'bookings stops', 'calendar stops']);
});

const faults: readonly (readonly [what: string, plugins: readonly PluginDefinition[], message: RegExp])[] = [
  [
    'a service that nobody provides',
    [using([{service: own}])],
    /plugin bookings: it requires the service rooms\.example\.com\/calendar, which no plugin provides: add one that does \(plugins WHERE_IT_IS\) \(requires\[0\]/,
  ],
  [
    'a version that is not provided',
    [using(['core', {service: own, version: '^2.0.0'}]), providing({version: '1.3.0'})],
    /plugin bookings: it requires the service \S+ \^2\.0\.0, and the plugin calendars provides 1\.3\.0 \(requires\[1\]/,
  ],
  [
    'plugins that need services of each other',
    [using([{service: own}]), providing({requires: ['bookings']})],
    /plugins require each other: bookings → calendars → bookings \(requires\[0\]/,
  ],
  [
    'two plugins with the same service',
    [providing(), providing({name: 'almanacs'})],
    /plugin almanacs: the service \S+ is also contributed by plugin calendars \(provides\[0\]\.service/,
  ],
];

for (const [what, plugins, message] of faults) {
  test(`${what}: the start names the plugins`, async (t) => {
    await t.throwsAsync(createServer({plugins, store: 'memory'}), {message});
  });
}

test('the provider of a required service is enabled with what requires it, unless somebody has disabled it', async (t) => {
  const plugins = [using([{service: own}]), providing()];
  await t.throwsAsync(createServer({plugins, store: 'memory', disablePlugins: ['calendars']}), {
    message:
      /requires the service \S+ of the plugin calendars, which is disabled \(disablePlugins\): enable it \(enablePlugins calendars\), or disable bookings too/,
  });
});

test('a service that is injected without being required is told', async (t) => {
  await t.throwsAsync(startTestServer({plugins: [using([]), providing()]}), {
    message:
      /constructing \S+ failed: it injects the service \S+ without requiring it: add \{"service": "rooms\.example\.com\/calendar"\} to "requires"/,
  });
});
