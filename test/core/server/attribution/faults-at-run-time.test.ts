import test from 'ava';
import {
  defineAdmission,
  defineAuthenticator,
  defineAuthorizer,
  definePlugin,
  defineResource,
  defineRoute,
  defineWebhookCaller,
  forbidden,
  StoreError,
  Tokens,
  type ApiObject,
  type Status,
  type WebhookCaller,
} from '@orch-api/orch/sdk';
import {eventually, startTestServer, type TestResponse, type TestServer} from '@orch-api/orch/testing';
import {recordingLogger} from '../../../helpers/recording-logger.js';

const things = '/apis/clumsy.example.com/v1/namespaces/default/things';
const maps = '/api/v1/namespaces/default/configmaps';
const {logger, lines} = recordingLogger(true);
let server: TestServer;
/** What ends the calls that hang. */
const released = Promise.withResolvers<void>();

const bang = (): never => {
  throw new RangeError('bang');
};
const text: unknown = 'bang';
const blocks = (millis: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, millis);

const schema = {
  type: 'object',
  properties: {spec: {type: 'object', properties: {fault: {type: 'string'}}}},
};
interface Thing extends ApiObject {
  spec?: {fault?: string};
}

const rooms = {group: 'clumsy.example.com', version: 'v1', resource: 'rooms'};
/** The caller of the plugin fails itself for this one. */
const broken = 'https://127.0.0.1:1/';
/** Nobody is there. */
const away = {url: 'https://127.0.0.1:2/', timeoutMillis: 5000};

/** Fails in the way that the name of an object, or a header, says. */
const clumsy = definePlugin({name: 'clumsy'}, [
  defineAuthenticator({
    name: 'Doorman',
    order: 1,
    create: () => ({
      authenticate(request): undefined {
        const [fault] = request.header('x-fault');
        if (fault === 'throws') bang();
        if (fault === 'rejects') return Promise.reject(new RangeError('bang')) as never;
        if (fault === 'empty') return {} as never;
        if (fault === 'text') throw text;
        return undefined;
      },
    }),
  }),
  defineAuthorizer({
    name: 'Guard',
    order: -1,
    create: () => ({
      authorize({name}) {
        if (name === 'guard-throws') bang();
        if (name === 'guard-rejects') return Promise.reject(new RangeError('bang'));
        if (name === 'guard-undefined') return undefined as never;
        if (name === 'guard-later') return Promise.resolve(undefined as never);
        if (name === 'guard-maybe') return {decision: 'maybe' as never};
        return {decision: 'no-opinion'};
      },
    }),
  }),
  defineAdmission({
    name: 'Policy',
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    resources: ['configmaps'],
    create: ({inject}) => {
      const webhooks: WebhookCaller = inject(Tokens.Webhooks);
      return {
        admit({name}) {
          if (name === 'admit-throws') bang();
        },
        async validate({name, resource}) {
          if (name === 'validate-throws') bang();
          if (name === 'validate-refuses') throw forbidden({...resource, name}, 'not this one');
          if (name === 'validate-blocks') blocks(600);
          if (name === 'validate-hangs') await released.promise;
          if (name === 'calls') await webhooks.call({url: broken, timeoutMillis: 1000}, {});
          if (name === 'calls-away') await webhooks.call(away, {});
        },
      };
    },
  }),
  defineResource({
    group: 'clumsy.example.com',
    names: {plural: 'things', singular: 'thing', kind: 'Thing'},
    scope: 'Namespaced',
    strategy: () => ({
      convert(object: Thing, {group, version}) {
        if (object.metadata.name === 'convert-throws') bang();
        return {...object, apiVersion: `${group}/${version}`};
      },
      prepareForCreate({metadata}: Thing) {
        if (metadata.name === 'prepare-throws') bang();
      },
      validateCreate(object: Thing) {
        if (object.metadata.name === 'validate-throws') bang();
        if (object.metadata.name === 'validate-undefined') return undefined as never;
        if (object.metadata.name === 'validate-changes') object.spec = {fault: 'x'};
        return [];
      },
      tableCells({metadata}: Thing): Record<string, string> {
        if (metadata.name === 'cells-throw') bang();
        return {Fault: 'none'};
      },
    }),
    versions: [
      {
        name: 'v1',
        storage: true,
        schema,
        printerColumns: [{name: 'Fault', type: 'string'}],
      },
      {name: 'v2', schema},
    ],
  }),
  defineResource({
    group: 'clumsy.example.com',
    names: {plural: 'bells', singular: 'bell', kind: 'Bell'},
    scope: 'Namespaced',
    verbs: ['create', 'get', 'list'],
    handler: () => ({create: () => bang(), get: () => 7 as never, list: () => Promise.reject(new RangeError('bang'))}),
    versions: [{name: 'v1', schema}],
  }),
  defineRoute({path: '/clumsy', methods: ['GET'], create: () => ({handle: () => bang()})}),
  defineRoute({
    path: '/clumsy/calls',
    methods: ['GET'],
    create: ({inject}) => ({handle: async () => void (await inject(Tokens.Webhooks).call(away, {}))}),
  }),
  defineRoute({path: '/clumsy/refuses', methods: ['GET'], create: () => ({handle: () => Promise.reject(forbidden(rooms, 'not now'))})}),
  defineRoute({
    path: '/clumsy/stores',
    methods: ['GET'],
    create: () => ({handle: () => Promise.reject(new StoreError('Unavailable', 'no connection'))}),
  }),
  defineWebhookCaller({
    name: 'Caller',
    order: 1,
    create: () => ({call: (target, review, _signal, next) => (target.url === broken ? bang() : next(target, review))}),
  }),
]);

test.before(async () => {
  server = await startTestServer({plugins: [clumsy], logger, slowRequestThreshold: '400ms'});
});

test.after.always(async () => {
  released.resolve();
  await server.stop();
});

interface Case {
  readonly title: string;
  readonly run: () => Promise<TestResponse>;
  readonly hook: string;
  readonly status: number;
  /** What the answer says, where it names anybody. */
  readonly answer?: string;
  readonly fault?: RegExp;
}

const unexpected = "Internal error occurred: an unexpected error; the log has it under this request's Audit-Id";
const bells = things.replace('things', 'bells');
const asks = (fault: string) => () => server.client.get(maps, {headers: {'x-fault': fault}, anonymous: true});
const gets = (path: string) => () => server.client.get(path);
const creates = (path: string, name: string) => () => server.client.post(path, {metadata: {name}});

/** Who fails, how, what is answered, and what is logged. */
const cases: readonly Case[] = [
  ...['throws', 'rejects', 'text', 'empty'].map((fault) => ({
    title: `an authenticator: ${fault}`,
    run: asks(fault),
    hook: 'authenticator Doorman.authenticate',
    status: 401,
    answer: 'Unauthorized',
    ...(fault === 'empty' ? {fault: /authenticate of the authenticator Doorman returned \{\}: username/} : {}),
  })),
  ...['throws', 'rejects', 'undefined', 'later', 'maybe'].map((fault) => ({
    title: `an authorizer: ${fault}`,
    run: gets(`${maps}/guard-${fault}`),
    hook: 'authorizer Guard.authorize',
    status: 500,
    answer: unexpected,
    ...(fault === 'throws' || fault === 'rejects' ? {} : {fault: /authorize of the authorizer Guard returned .*decision/}),
  })),
  {
    title: 'admission that throws in admit',
    run: creates(maps, 'admit-throws'),
    hook: 'admission Policy.admit',
    status: 500,
    answer: 'Internal error occurred: admission controller "Policy" failed on configmaps',
  },
  {
    title: 'admission that rejects in validate',
    run: creates(maps, 'validate-throws'),
    hook: 'admission Policy.validate',
    status: 500,
    answer: 'Internal error occurred: admission controller "Policy" failed on configmaps',
  },
  {
    title: 'a caller of webhooks that throws, called by another plugin',
    run: creates(maps, 'calls'),
    hook: 'webhookCaller Caller.call',
    status: 500,
    answer: 'Internal error occurred: admission controller "Policy" failed on configmaps',
  },
  ...(['prepare', 'validate'] as const).map((step) => ({
    title: `a strategy: ${step}`,
    run: creates(things, `${step}-throws`),
    hook: `strategy ThingStrategy.${step}${step === 'prepare' ? 'ForCreate' : 'Create'}`,
    status: 500,
    answer: unexpected,
  })),
  {
    title: 'a strategy that returns no list of errors',
    run: creates(things, 'validate-undefined'),
    hook: 'strategy ThingStrategy.validateCreate',
    status: 500,
    answer: unexpected,
    fault: /validateCreate of the strategy ThingStrategy returned undefined/,
  },
  {
    title: 'a strategy that changes the object in validateCreate',
    run: creates(things, 'validate-changes'),
    hook: 'strategy ThingStrategy.validateCreate',
    status: 500,
    answer: unexpected,
    fault: /validateCreate of the strategy ThingStrategy changes what it may only read: its parameter 1/,
  },
  {
    title: 'a strategy whose cells of a table throw',
    run: async () => {
      await creates(things, 'cells-throw')();
      const accept = 'application/json;as=Table;v=v1;g=meta.orch';
      return server.client.get(`${things}/cells-throw`, {headers: {accept}});
    },
    hook: 'strategy ThingStrategy.tableCells',
    status: 500,
    answer: unexpected,
  },
  {
    title: 'a strategy that cannot convert',
    run: async () => {
      await creates(things, 'convert-throws')();
      return server.client.get(`${things.replace('v1', 'v2')}/convert-throws`);
    },
    hook: 'strategy ThingStrategy.convert',
    status: 500,
    answer: unexpected,
  },
  {title: 'a handler that throws', run: creates(bells, 'b'), hook: 'virtualResource BellHandler.create', status: 500, answer: unexpected},
  {
    title: 'a handler that returns no object',
    run: gets(`${bells}/b`),
    hook: 'virtualResource BellHandler.get',
    status: 500,
    answer: unexpected,
    fault: /get of the virtualResource BellHandler returned 7/,
  },
  {title: 'a handler that rejects', run: gets(bells), hook: 'virtualResource BellHandler.list', status: 500, answer: unexpected},
  {title: 'a route', run: gets('/clumsy'), hook: 'route /clumsy.handle', status: 500, answer: unexpected},
];

for (const {title, run, hook, status, answer, fault} of cases) {
  test.serial(`what fails in a plugin is logged with its name and a stack, and the answer has none: ${title}`, async (t) => {
    const before = lines.length;
    const response = await run();
    t.is(response.status, status, response.body.toString());
    t.is(response.json<Status>().message, answer);
    const own = lines.slice(before).filter(({fields}) => fields['hook'] !== undefined && fields['err'] !== undefined);
    const line = own.find(({level}) => level === 'error');
    t.like(line?.fields, {plugin: 'clumsy', hook}, JSON.stringify(lines.slice(before)));
    const error = line?.fields['err'] as Error;
    const {message, stack} = deepest(error);
    t.regex(fault ? error.message : message, fault ?? /bang/);
    if (title !== 'an authenticator: text' && fault === undefined) t.regex(stack!, /at .*faults-at-run-time\.test/);
  });
}

test.serial('a webhook call that fails is told as such, with the plugin and the place that made it', async (t) => {
  const before = lines.length;
  const fault = 'failed calling webhook: Post "https://127.0.0.1:2/?timeout=5s": cannot connect to 127.0.0.1:2 (ECONNREFUSED)';
  const route = await server.client.get('/clumsy/calls');
  t.like(route.json<Status>(), {code: 500, reason: 'InternalError'});
  t.is(route.json<Status>().message, `Internal error occurred: the route /clumsy/calls of the plugin clumsy: ${fault}`);
  const policy = await creates(maps, 'calls-away')();
  t.is(policy.status, 500);
  t.is(policy.json<Status>().message, `Internal error occurred: admission controller "Policy" failed on configmaps: ${fault}`);
  const told = lines.slice(before).filter(({level}) => level === 'error');
  t.deepEqual(
    told.map(({fields}) => (fields['err'] as Error & {code: unknown}).code),
    ['Unreachable', 'Unreachable'],
  );
});

test.serial('what a route throws that has a meaning is answered as from anywhere else', async (t) => {
  t.like((await server.client.get('/clumsy/refuses')).json<Status>(), {
    code: 403,
    reason: 'Forbidden',
    message: 'rooms.clumsy.example.com "" is forbidden: not now',
  });
  t.like((await server.client.get('/clumsy/stores')).json<Status>(), {code: 503, reason: 'ServiceUnavailable'});
});

test.serial('a policy that refuses is no fault: the log has no error, and the answer names what is refused', async (t) => {
  const before = lines.length;
  const response = await creates(maps, 'validate-refuses')();
  t.is(response.status, 403);
  t.is(response.json<Status>().message, 'configmaps "validate-refuses" is forbidden: not this one');
  t.deepEqual(
    lines.slice(before).filter(({level}) => level === 'error' || level === 'warn'),
    [],
  );
});

test.serial('a hook that takes its time is named with it, and one that does not answer while it hangs', async (t) => {
  const find = (message: string) =>
    lines.find((line) => line.message === message && line.fields['hook'] === 'admission Policy.validate')?.fields;
  t.is((await creates(maps, 'validate-blocks')()).status, 201);
  const slow = find('a plugin was slow')!;
  t.is(slow['plugin'], 'clumsy');
  t.true((slow['milliseconds'] as number) >= 590, JSON.stringify(slow));
  const hanging = creates(maps, 'validate-hangs')();
  const hung = await eventually(() => find('a plugin has not answered yet') ?? Promise.reject(new Error('nothing is logged')));
  t.is(hung['plugin'], 'clumsy');
  t.true((hung['milliseconds'] as number) >= 400, JSON.stringify(hung));
  released.resolve();
  t.is((await hanging).status, 201);
  t.like(await eventually(() => find('a plugin answers again') ?? Promise.reject(new Error('nothing is logged'))), {plugin: 'clumsy'});
});

function deepest(error: unknown): Error {
  let found = error as Error;
  while (found.cause instanceof Error) found = found.cause;
  return found;
}
