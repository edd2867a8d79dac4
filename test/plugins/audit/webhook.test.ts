import {mkdirSync, writeFileSync} from 'node:fs';
import type {ServerResponse} from 'node:http';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {startTestServer, type ServerOptions, type TestServer} from '@orch-api/orch/testing';
import {eventsIn, policyFile, type LoggedEvent} from '../../helpers/audit-log.js';
import {eventually} from '../../helpers/eventually.js';
import {hostileService} from '../../helpers/hostile-service.js';
import {recordingLogger} from '../../helpers/recording-logger.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {webhookService, type WebhookService} from '../../helpers/webhook-service.js';

const maps = '/api/v1/namespaces/default/configmaps';
const policy = {omitStages: ['RequestReceived'], rules: [{level: 'RequestResponse', resources: [{resources: ['configmaps']}]}]};

async function start(t: ExecutionContext, options: ServerOptions): Promise<TestServer> {
  const server = await startTestServer(options);
  t.teardown(() => server.stop());
  return server;
}

/** A service that takes lists of events, unless the test says otherwise. */
async function collector(t: ExecutionContext, answer: (response: ServerResponse, batch: number) => void = (response) => response.end()) {
  const batches: LoggedEvent[][] = [];
  let tries = 0;
  const service = await webhookService(t, (body, response) => {
    const list = JSON.parse(body) as {kind: string; apiVersion: string; items: LoggedEvent[]};
    t.is(list.kind, 'EventList');
    t.is(list.apiVersion, 'audit.orch/v1');
    batches.push(list.items);
    answer(response, (tries += 1));
  });
  return {service, batches};
}

/** The client may be gone by now. */
function finish(response: ServerResponse, status: number): void {
  response.statusCode = status;
  response.end();
}

function webhookOptions(t: ExecutionContext, service: WebhookService, flags: object = {}, config: object = {}): ServerOptions {
  const file = join(tempFolder(t), 'audit-webhook.yaml');
  const cluster = {server: `${service.url}/audit`, 'certificate-authority-data': Buffer.from(service.ca).toString('base64')};
  writeFileSync(
    file,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{name: 'a', cluster}],
      users: [{name: 'u', user: {token: 'audit-token'}}],
    }),
  );
  return {
    auditPolicyFile: policyFile(t, policy),
    flags: {'audit-webhook-config-file': file, 'audit-webhook-initial-backoff': '10ms', 'audit-webhook-batch-max-wait': '20ms', ...flags},
    configuration: {plugins: {'audit-webhook': {config: {timeout: '10s', ...config}}}},
  };
}

const write = async ({client}: TestServer, count: number) => {
  const answers = await Promise.all(Array.from({length: count}, (_, index) => client.post(maps, {metadata: {name: `m${index}`}})));
  return answers.map(({status}) => status);
};
const namesOf = (events: readonly LoggedEvent[]) => events.map(({objectRef}) => objectRef!['name']).toSorted();

test('events arrive in batches as an EventList, with the credentials of the file; a stop sends what waits', async (t) => {
  const {service, batches} = await collector(t);
  const server = await start(t, webhookOptions(t, service, {'audit-webhook-batch-max-size': 4, 'audit-webhook-batch-max-wait': '1h'}));
  await write(server, 10);
  await eventually(
    () => batches.flat().length,
    (count) => count >= 8,
  );
  t.true(batches.every(({length}) => length === 4));
  await server.stop();
  t.is(batches.at(-1)!.length, 2);
  t.deepEqual(
    namesOf(batches.flat()),
    Array.from({length: 10}, (_, index) => `m${index}`),
  );
  t.is(service.requests[0]!.url, '/audit');
  t.is(service.requests[0]!.headers.authorization, 'Bearer audit-token');
  t.like(batches[0]![0], {level: 'RequestResponse', stage: 'ResponseComplete', responseStatus: {code: 201}});
});

test('a service that resets, fails or hangs is tried again, and nothing is lost when it recovers', async (t) => {
  const {service, batches} = await collector(t, (response, tries) => {
    if (tries === 1) response.socket!.destroy();
    else if (tries === 2) finish(response, 500);
    else if (tries > 3) finish(response, 204);
  });
  const {logger, lines} = recordingLogger();
  const server = await start(t, {...webhookOptions(t, service, {}, {timeout: '3s'}), logger});
  t.deepEqual(await write(server, 1), [201]);
  await eventually(
    () => batches.length,
    (count) => count === 4,
  );
  await server.stop();
  t.is(new Set(batches.flat().map(({auditID}) => auditID)).size, 1);
  t.false(lines.some(({message}) => message.includes('lost')));
});

test('while a service hangs no request waits; what finds no room is lost, counted and told once', async (t) => {
  const {service} = await collector(t, () => undefined);
  const {logger, lines} = recordingLogger();
  const flags = {'audit-webhook-batch-buffer-size': 5, 'audit-webhook-batch-max-size': 1, 'audit-webhook-batch-throttle-enable': false};
  const server = await start(t, {...webhookOptions(t, service, flags, {timeout: '1m'}), logger});
  t.deepEqual(await write(server, 30), Array<number>(30).fill(201));
  t.is(lines.filter(({message}) => message === 'audit events are lost').length, 1);
  await server.stop();
  // Four are under way and five wait until the server stops; they are lost then.
  t.is(lines.find(({message}) => message === 'audit events were lost while the server ran')!.fields['lost'], 30);
});

test('a service that always fails loses what it was sent, and is told when it works again', async (t) => {
  let isBroken = true;
  const {service} = await collector(t, (response) => finish(response, isBroken ? 503 : 200));
  const {logger, lines} = recordingLogger();
  const server = await start(t, {...webhookOptions(t, service), logger});
  // One event, so that nothing is still being tried when the service recovers.
  await write(server, 1);
  await eventually(
    () => lines,
    (all) => all.some(({message}) => message === 'audit events could not be delivered and are lost'),
  );
  isBroken = false;
  await server.client.get(maps);
  const told = await eventually(
    () => lines.find(({message}) => message === 'audit events arrive again'),
    (line) => line !== undefined,
  );
  t.is(told!.fields['lost'], 1);
});

test('blocking waits for the service; blocking-strict refuses what it does not take', async (t) => {
  const {service, batches} = await collector(t);
  const blocking = await start(t, webhookOptions(t, service, {'audit-webhook-mode': 'blocking'}));
  t.deepEqual(await write(blocking, 1), [201]);
  t.is(batches.flat().length, 1);
  const failing = await collector(t, (response) => finish(response, 500));
  const options = webhookOptions(t, failing.service, {'audit-webhook-mode': 'blocking-strict'});
  const strict = await start(t, {...options, auditPolicyFile: policyFile(t, {rules: policy.rules})});
  t.deepEqual(await write(strict, 1), [500]);
});

test("a plugin's sink gets the events of the policy, beside the built-in sinks", async (t) => {
  const folder = join(tempFolder(t), 'events-to-file');
  const [target, path] = [join(tempFolder(t), 'own.log'), join(tempFolder(t), 'audit.log')];
  mkdirSync(folder);
  const manifest = {
    name: 'events-to-file',
    version: '1.0.0',
    kernel: '*',
    entry: './index.js',
    contributes: {auditSinks: ['EventsToFile']},
  };
  writeFileSync(join(folder, 'plugin.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(
    join(folder, 'index.js'),
    `import {appendFileSync} from 'node:fs';
import {auditSink} from '@orch-api/orch/sdk';
export class EventsToFile {
  write(event) {
    if (event.user?.username === 'jane' || event.impersonatedUser) throw new Error('not of jane');
    appendFileSync(${JSON.stringify(target)}, event.json + '\\n');
  }
  close() {
    appendFileSync(${JSON.stringify(target)}, JSON.stringify({closed: true}) + '\\n');
  }
}
auditSink()(EventsToFile);
`,
  );
  const {logger, lines} = recordingLogger();
  const server = await start(t, {auditPolicyFile: policyFile(t, policy), plugins: [folder], flags: {'audit-log-path': path}, logger});
  await write(server, 3);
  t.is((await server.client.get(maps, {headers: {'impersonate-user': 'jane'}})).status, 403);
  await server.stop();
  t.deepEqual(eventsIn(target).slice(0, -1), eventsIn(path).slice(0, 3));
  t.deepEqual(eventsIn(target).at(-1) as unknown, {closed: true});
  t.is(eventsIn(path).length, 4);
  t.is(lines.find(({message}) => message === 'audit events were lost while the server ran')!.fields['lost'], 1);
});

test('a configuration file or a duration that cannot be used keeps the server from starting', async (t) => {
  const {service} = await collector(t);
  await t.throwsAsync(startTestServer(webhookOptions(t, service, {'audit-webhook-config-file': '/nonexistent/file'})), {
    message: /\/nonexistent\/file: ENOENT/,
  });
  await t.throwsAsync(startTestServer(webhookOptions(t, service, {'audit-webhook-batch-max-wait': 'soon'})), {
    message: /--audit-webhook-batch-max-wait must be a duration such as 30s, not "soon"/,
  });
});

test('of a service that changes the protocol instead of answering, the events that come later arrive', async (t) => {
  let asked = 0;
  const arrived: string[] = [];
  const service = await hostileService(
    t,
    ({body}) => {
      for (const {objectRef} of (JSON.parse(body) as {items: {objectRef?: {name?: string}}[]}).items) arrived.push(objectRef?.name ?? '');
      return {};
    },
    // More than are sent at once, with all their attempts.
    {mannerOf: () => (++asked <= 40 ? 'switches-protocols' : 'right')},
  );
  const server = await start(t, webhookOptions(t, service as unknown as WebhookService, {'audit-webhook-batch-max-size': 1}));
  await write(server, 20);
  await eventually(
    () => asked,
    (count) => count > 40,
  );
  arrived.length = 0;
  await server.client.post(maps, {metadata: {name: 'late'}});
  await eventually(
    () => arrived,
    (names) => names.includes('late'),
  );
  t.pass();
});
