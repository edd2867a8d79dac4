import test from 'ava';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {
  defineAdmission,
  defineAuthenticator,
  defineAuthorizer,
  defineController,
  definePlugin,
  defineResource,
  defineRoute,
  forbidden,
  FieldPath,
  invalid,
  Tokens,
  type ApiObject,
} from '@orch-api/orch/sdk';
import {eventually, startTestServer} from '@orch-api/orch/testing';
import {types} from '@orch-api/orch/types/resources';

interface Room extends ApiObject {
  spec: {seats: number};
  status?: {phase: string};
}

const schema = {
  type: 'object',
  properties: {
    spec: {type: 'object', properties: {seats: {type: 'integer'}}},
    status: {type: 'object', properties: {phase: {type: 'string'}}},
  },
};

/** One of every kind that a server of a test can have, in one plugin without files. */
const rooms = definePlugin(
  {
    name: 'rooms',
    config: {
      type: 'object',
      properties: {
        closed: {type: 'array', items: {type: 'string'}, default: [], description: 'Rooms that are being rebuilt', flag: 'closed-rooms'},
        badge: {type: 'string', default: 'none', description: 'Who may come in'},
      },
    },
  },
  [
    defineResource({
      group: 'rooms.example.com',
      names: {plural: 'rooms', singular: 'room', kind: 'Room'},
      scope: 'Namespaced',
      strategy: () => ({
        prepareForCreate(room: Room) {
          room.status = {phase: 'Free'};
        },
        validateUpdate: (room: Room, old: Room) =>
          room.spec.seats >= old.spec.seats ? [] : [invalid(FieldPath.of('spec', 'seats'), room.spec.seats, 'a room does not shrink')],
      }),
      versions: [
        {
          name: 'v1',
          schema,
          subresources: {
            status: {},
            ring: {
              verbs: ['create'],
              kind: {group: 'rooms.example.com', version: 'v1', kind: 'Room'},
              handler: () => ({create: (body, {name, user}) => ({...body, metadata: {name}, status: {phase: `${user.username} rings`}})}),
            },
          },
        },
      ],
    }),
    defineAdmission({
      name: 'NoBuildingSites',
      operations: ['CREATE'],
      resources: ['rooms.rooms.example.com'],
      create: ({config}) => ({
        validate({resource, name}) {
          if (config.closed.includes(name)) throw forbidden({...resource, name}, `${name} is being rebuilt`);
        },
      }),
    }),
    defineAuthenticator({
      name: 'Badge',
      order: 400,
      create: ({config}) => ({
        authenticate: (request) => (request.header('x-badge')[0] === config.badge ? {username: 'guest', groups: []} : undefined),
      }),
    }),
    defineAuthorizer({
      name: 'GuestsMayRead',
      create: () => ({
        authorize: ({user, verb}) => ({decision: user.username === 'guest' && verb === 'get' ? 'allow' : 'no-opinion'}),
      }),
    }),
    defineController({
      name: 'opener',
      permissions: [{verbs: ['create'], apiGroups: [''], resources: ['namespaces']}],
      create: ({inject}) => {
        const resources = inject(Tokens.Resources);
        return {
          start: async () => {
            const group = {group: '', version: 'v1', resource: 'namespaces'};
            await resources.create(group, '', {apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'opened'}});
          },
          stop: async () => undefined,
        };
      },
    }),
    defineRoute({
      path: '/rooms/closed',
      methods: ['GET'],
      create: ({config}) => ({
        handle(_request, response) {
          response.end(JSON.stringify(config.closed));
        },
      }),
    }),
  ],
);

test('a plugin made of functions takes part as one of classes does, without a file', async (t) => {
  await using server = await startTestServer({
    plugins: [rooms],
    configuration: {plugins: {rooms: {config: {closed: ['attic'], badge: 'b'}}}},
  });
  const url = '/apis/rooms.example.com/v1/namespaces/default/rooms';
  const room = (name: string, seats = 2) => ({apiVersion: 'rooms.example.com/v1', kind: 'Room', metadata: {name}, spec: {seats}});
  const made = await server.client.post(url, room('hall'));
  t.is(made.status, 201, made.body.toString());
  t.is(made.json<Room>().status?.phase, 'Free');
  t.is((await server.client.put(`${url}/hall`, room('hall', 1))).status, 422);
  const refused = await server.client.post(url, room('attic'));
  t.is(refused.status, 403);
  t.regex(refused.body.toString(), /attic is being rebuilt/);
  const rung = await server.client.post(`${url}/hall/ring`, room('hall'));
  t.is(rung.json<Room>().status?.phase, 'orch-admin rings');
  const guest = {anonymous: true, headers: {'x-badge': 'b'}};
  t.is((await server.client.request('GET', `${url}/hall`, guest)).status, 200);
  t.is((await server.client.request('DELETE', `${url}/hall`, guest)).status, 403);
  t.is((await server.client.request('GET', `${url}/hall`, {anonymous: true, headers: {'x-badge': 'c'}})).status, 403);
  t.deepEqual((await server.client.get('/rooms/closed')).json<string[]>(), ['attic']);
  await t.notThrowsAsync(eventually(() => server.api.resource(types.core.v1.Namespace).get('opened')));
});

test('its settings have flags, and what it is given is checked against its schema', async (t) => {
  await using server = await startTestServer({plugins: [rooms], flags: {'closed-rooms': ['cellar']}});
  t.deepEqual((await server.client.get('/rooms/closed')).json<string[]>(), ['cellar']);
  const wrong = startTestServer({plugins: [rooms], configuration: {plugins: {rooms: {config: {closed: 'attic'}}}}});
  const error = await t.throwsAsync(wrong, {name: 'KernelError'});
  t.regex(error.message, /plugin rooms: closed must be of type array \(plugins\.rooms\.config\.closed\)/);
});

test('its faults are those of a manifest: place and reason', async (t) => {
  const bad = definePlugin({name: 'Bad Name'} as never, []);
  await t.throwsAsync(startTestServer({plugins: [bad]}), {message: /name/});
  const silent = definePlugin({name: 'silent'}, [defineAdmission({name: 'Silent', operations: ['CREATE'], create: () => ({})})]);
  await t.throwsAsync(startTestServer({plugins: [silent]}), {
    message: /plugin silent: the admission Silent has no method admit or validate/,
  });
  const failing = definePlugin({name: 'failing'}, [
    defineAuthorizer({
      name: 'Failing',
      create: () => {
        throw new RangeError('no lock');
      },
    }),
  ]);
  const error = await t.throwsAsync(startTestServer({plugins: [failing]}), {
    message: /plugin failing: constructing Failing failed: no lock/,
  });
  t.true(error.cause instanceof RangeError);
  const twin = definePlugin({name: 'rooms'}, []);
  await t.throwsAsync(startTestServer({plugins: [rooms, twin]}), {message: /plugin rooms: the name is also used by definePlugin/});
});

test('a misspelled method of a class or function is told with the one that was meant', async (t) => {
  const slip = definePlugin({name: 'slip'}, [
    defineAdmission({
      name: 'Slip',
      operations: ['CREATE'],
      create: () => ({validate() {}, admitt() {}}) as never,
    }),
  ]);
  await t.throwsAsync(startTestServer({plugins: [slip]}), {
    message: /plugin slip: the admission Slip has a method admitt, which nobody calls; did you mean admit\?/,
  });
});

const source = `import {defineAuthorizer, definePlugin, type AuthorizationAttributes} from '@orch-api/orch/sdk';

interface Greeting { readonly text: string }
const greeting: Greeting = {text: 'hello'};

export default definePlugin({name: 'from-a-file'}, [
  defineAuthorizer({name: 'Greeter', create: ({logger}) => ({
    authorize({user}: AuthorizationAttributes) {
      logger.debug({}, greeting.text);
      return {decision: user.username === 'system:anonymous' ? 'allow' : 'no-opinion'};
    },
  })}),
]);
`;

test('a TypeScript file is a plugin without being compiled; one that defines none is told so', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'orch-define-'));
  t.teardown(() => rmSync(folder, {recursive: true}));
  writeFileSync(join(folder, 'plugin.ts'), source);
  writeFileSync(join(folder, 'other.ts'), 'export const nothing: number = 1;\n');
  for (const reference of ['./plugin.ts', '.']) {
    await using server = await startTestServer({plugins: [reference], cwd: folder});
    t.is((await server.client.request('GET', '/api/v1/namespaces/default', {anonymous: true})).status, 200);
  }
  const error = await t.throwsAsync(startTestServer({plugins: ['./other.ts'], cwd: folder}), {name: 'KernelError'});
  t.regex(error.message, /its default export was not made by definePlugin \(.*other\.ts\)/);
});
