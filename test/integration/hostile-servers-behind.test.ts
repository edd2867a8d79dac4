import test, {type ExecutionContext} from 'ava';
import {once} from 'node:events';
import type {IncomingMessage} from 'node:http';
import {request} from 'node:https';
import {until} from '../helpers/eventually.js';
import {hostileService, mannerNamed, manners, type HostileService, type RawRequest} from '../helpers/hostile-service.js';
import {recordingLogger} from '../helpers/recording-logger.js';
import {userCredentials} from '../helpers/user-client.js';
import {
  availability,
  createApiService,
  startFrontServer,
  writeExternalService,
  type FrontServer,
} from '../plugins/controllers/aggregator/front-server.js';

const ends: (() => unknown)[] = [];
const whole = {teardown: (end: () => unknown) => void ends.unshift(end)};
const log = recordingLogger();
let front: FrontServer;

test.before(async () => {
  const config = {proxyToLoopback: true, checkMilliseconds: 300, refreshMilliseconds: 300};
  front = await startFrontServer(whole, {
    logger: log.logger,
    configuration: {plugins: {aggregator: {config}, 'core-pods': {config: {proxyToLoopback: true}}}},
  });
});

test.after.always(async () => {
  for (const end of ends) await end();
});

/** Statuses that a server in front may give for one behind that does not do its part. */
const failures = new Set([502, 503, 504]);

interface Outcome {
  readonly status: number | 'cut';
  readonly text: string;
}

/** One request; the connection may be cut, which is how an answer that has begun fails. */
async function ask(path: string): Promise<Outcome> {
  try {
    const {status, body} = await front.server.client.get(path);
    return {status, text: body.toString().slice(0, 300)};
  } catch (error) {
    return {status: 'cut', text: String(error)};
  }
}

/** Where each takes several requests and a place in a queue: those of each kind. */
const some = [
  ...['right', 'switches-protocols', 'interim-without-end', 'status-099', 'no-content-with-length', 'silence', 'slow-body', 'redirect'],
  ...[
    'headers-without-end',
    'body-without-end',
    'resets',
    'reset-at--2',
    'deep',
    'million-keys',
    'million-lists',
    'invalid-utf-8',
    'prototype',
  ],
];

const requestLine = ({head}: RawRequest) => head.slice(0, head.indexOf('\r\n'));

/** What an aggregated server answers: discovery of any group version, and a list below it. */
function served(asked: RawRequest): unknown {
  const [, group, version, rest] = /^GET \/apis\/([^/ ]+)\/([^/ ?]+)(.*) HTTP/.exec(requestLine(asked)) ?? [];
  if (group === undefined) return undefined;
  const things = {name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs: ['get', 'list']};
  return rest === ''
    ? {kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${group}/${version}`, resources: [things]}
    : {kind: 'ThingList', items: []};
}

async function announce(service: HostileService, name: string): Promise<string> {
  const group = `${name}.example.com`;
  await writeExternalService(front.server, name);
  await createApiService(front.server, {group, service: name, spec: {service: {name, namespace: 'default', port: service.port}}});
  return group;
}

/** What can be forwarded as it stands, however odd it is: bodies are not looked into. */
function isHandedOn(name: string): boolean {
  return /^(status-(?!\d{3}$)|server-error|not-modified|length|two-answers|gzip|deep|million|invalid|other-content|empty|list|null|huge|prototype|chunk|redirect|body)/.test(
    name,
  );
}

async function proxied(t: ExecutionContext, path: (manner: string) => string): Promise<void> {
  await Promise.all(
    Object.entries(manners).map(async ([name, {isRight = false}]) => {
      const {status, text} = await ask(path(name));
      if (isRight) t.is(status, 200, `${name}: ${text}`);
      else if (/^(switches|interim-w|status-\d{3}$|no-content|chunks-of)/.test(name)) t.is(status, 502, `${name}: ${text}`);
      else if (!isHandedOn(name) && !name.startsWith('reset-at--'))
        t.true(status === 'cut' || failures.has(status), `${name}: ${status} ${text}`);
      else t.true(status === 'cut' || status !== 500 || name === 'server-error', `${name}: ${status} ${text}`);
    }),
  );
}

test.serial('requests to aggregated servers: whatever these do ends in time, and is no fault of the server', async (t) => {
  const service = await hostileService(whole, served, {
    mannerOf: (asked) => (requestLine(asked).includes('/namespaces/') ? mannerNamed(asked) : 'right'),
  });
  const group = await announce(service, 'odd');
  await availability(front.server, `v1.${group}`, 'Passed');
  await proxied(t, (manner) => `/apis/${group}/v1/namespaces/default/things/manner-${manner}-please?timeout=10s`);
});

test.serial('checks of aggregated servers: whatever these do ends in time, and the next one is checked', async (t) => {
  const service = await hostileService(whole, served);
  const {client} = front.server;
  await Promise.all(some.map((name) => announce(service, `manner-${name}-please`)));
  const path = '/apis/apiregistration.orch/v1/apiservices';
  interface Condition {
    reason?: string;
    status: string;
  }
  await until(
    'each of them has been checked',
    async () => {
      const {items} = (await client.get(path)).json<{items: {metadata: {name: string}; status?: {conditions?: Condition[]}}[]}>();
      const own = items.filter(({metadata}) => metadata.name.startsWith('v1.manner-'));
      return (
        own.length === some.length &&
        own.every(({status}) => status?.conditions?.some(({reason}) => /^(Passed|FailedDiscoveryCheck)$/.test(reason ?? '')))
      );
    },
    120_000,
  );
  for (const name of ['switches-protocols', 'status-099', 'silence', 'resets', 'no-content-with-length'])
    await availability(front.server, `v1.manner-${name}-please.example.com`, 'FailedDiscoveryCheck');
  const late = await announce(service, 'late');
  await availability(front.server, `v1.${late}`, 'Passed');
  t.is((await client.get(`/apis/${late}/v1/namespaces/default/things`)).status, 200);
  await Promise.all(some.map((name) => client.delete(`${path}/v1.manner-${name}-please.example.com`)));
});

test.serial('documents of aggregated servers: whatever these do ends in time, and those of everybody else stay', async (t) => {
  const isCheck = (asked: RawRequest) => /^GET \/apis\/[^/ ]+\/[^/ ]+ /.test(requestLine(asked));
  const asked = new Set<string>();
  const service = await hostileService(whole, served, {
    mannerOf: (one) => {
      const name = mannerNamed(one) ?? 'right';
      if (isCheck(one)) return 'right';
      asked.add(name);
      return name;
    },
  });
  const {client} = front.server;
  await Promise.all(some.map((name) => announce(service, `documents-manner-${name}-please`)));
  await until('documents of each have been asked for', () => some.every((name) => asked.has(name)), 120_000);
  const late = await announce(service, 'late-documents');
  await availability(front.server, `v1.${late}`, 'Passed');
  const accept = 'application/json;g=apidiscovery.orch;v=v2beta1;as=APIGroupDiscoveryList';
  interface Discovery {
    items: {metadata: {name: string}; versions: {freshness: string}[]}[];
  }
  await until(
    'the next one is discovered',
    async () => {
      const {items} = (await client.get('/apis', {headers: {accept}})).json<Discovery>();
      t.true(items.some(({metadata}) => metadata.name === 'apps'));
      return items.find(({metadata}) => metadata.name === late)?.versions[0]?.freshness === 'Current';
    },
    120_000,
  );
  t.is((await client.get('/openapi/v2')).status, 200);
  t.is((await client.get('/openapi/v3')).status, 200);
  await Promise.all(
    some.map((name) => client.delete(`/apis/apiregistration.orch/v1/apiservices/v1.documents-manner-${name}-please.example.com`)),
  );
});

for (const scheme of ['http', 'https'] as const)
  test.serial(`pods behind the proxy (${scheme}): whatever they do ends with it, and is no fault of the server`, async (t) => {
    const service = await hostileService(whole, () => ({}), {isPlain: scheme === 'http'});
    const path = '/api/v1/namespaces/default/pods';
    const pod = `odd-${scheme}`;
    const {client} = front.server;
    await client.post(path, {metadata: {name: pod}, spec: {containers: [{name: 'c', image: 'i', ports: [{containerPort: service.port}]}]}});
    await client.patch(`${path}/${pod}/status`, {status: {podIP: '127.0.0.1', phase: 'Running'}});
    const target = `${path}/${scheme}:${pod}:/proxy`;
    // There is no time limit but the client's: it goes after a while, and waits for longer where there is something to come.
    const isSilent = (name: string) => /^(silence|slow-head|interim-and)/.test(name);
    const credentials = await userCredentials(front.server, 'admin', ['system:masters']);
    const {hostname, port} = new URL(front.server.url);
    const outcomes = await Promise.all(
      Object.keys(manners).flatMap((name) =>
        [{}, {connection: 'Upgrade', upgrade: 'x'}].map(async (headers) => {
          const outgoing = request({hostname, port, path: `${target}/manner-${name}-please`, ...credentials, headers, agent: false}).end();
          const limit = setTimeout(() => outgoing.destroy(new Error('enough')), isSilent(name) ? 10_000 : 60_000);
          const status = await Promise.race([
            once(outgoing, 'response').then(([response]) => {
              (response as IncomingMessage).on('error', () => undefined).resume();
              return (response as IncomingMessage).statusCode!;
            }),
            once(outgoing, 'upgrade').then(([, socket]) => {
              (socket as {destroy: () => void}).destroy();
              return 101;
            }),
          ]).catch((error: Error) => error.message);
          return {name, isUpgrade: 'upgrade' in headers, status, outgoing, limit};
        }),
      ),
    );
    for (const {name, isUpgrade, status} of outcomes) {
      const what = `${name}${isUpgrade ? ' upgrade' : ''}: ${status}`;
      if (isSilent(name)) t.is(status, 'enough', what);
      else if (name.startsWith('switches')) t.is(status, isUpgrade && name !== 'switches-to-nothing' ? 101 : 502, what);
      else if (/^(interim-w|status-\d{3}$|no-content|chunks-of)/.test(name)) t.is(status, 502, what);
      else t.true(typeof status === 'number' && (status !== 500 || name === 'server-error'), what);
    }
    for (const {outgoing, limit} of outcomes) {
      clearTimeout(limit);
      outgoing.destroy();
    }
    await until('nothing is left of it', () => service.connections.open === 0);
  });

test.after('nothing that a server behind did was a fault of this one', (t) => {
  const faults = log.lines.filter(({fields: {err}}) => err instanceof TypeError || err instanceof RangeError || err instanceof SyntaxError);
  t.deepEqual(faults, []);
});
