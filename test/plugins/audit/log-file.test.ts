import {readdirSync, readFileSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import test, {type ExecutionContext} from 'ava';
import {startTestServer, type ServerOptions, type TestServer} from '@orch-api/orch/testing';
import {auditedIntoFile, eventsIn, type LoggedEvent} from '../../helpers/audit-log.js';
import {eventually} from '../../helpers/eventually.js';
import {timesOpened} from '../../helpers/opened-files.js';
import {recordingLogger} from '../../helpers/recording-logger.js';
import {tempFolder} from '../../helpers/temp-folder.js';

async function start(t: ExecutionContext, options: ServerOptions): Promise<TestServer> {
  const server = await startTestServer(options);
  t.teardown(() => server.stop());
  return server;
}

const maps = '/api/v1/namespaces/default/configmaps';
const policy = {rules: [{level: 'RequestResponse', resources: [{resources: ['configmaps']}]}]};

for (const mode of ['blocking', 'batch'] as const) {
  test(`of many writers at once nothing is lost, and the order of each object is kept (${mode})`, async (t) => {
    const log = auditedIntoFile(t, policy, {'audit-log-mode': mode, 'audit-log-batch-max-size': 50});
    const server = await start(t, log.options);
    const writers = 8;
    const writes = 60;
    await Promise.all(
      Array.from({length: writers}, async (_, writer) => {
        await server.client.post(maps, {metadata: {name: `w${writer}`}});
        for (let count = 1; count < writes; count += 1) await server.client.patch(`${maps}/w${writer}`, {data: {count: String(count)}});
      }),
    );
    await server.stop();
    const complete = log.events().filter(({stage}) => stage === 'ResponseComplete');
    t.is(log.events().length, 2 * writers * writes);
    for (let writer = 0; writer < writers; writer += 1) {
      const own = complete.filter(({objectRef}) => objectRef!['name'] === `w${writer}`);
      t.deepEqual(
        own.map(({responseObject}) => Number((responseObject as {data?: {count: string}}).data?.count ?? 0)),
        Array.from({length: writes}, (_, index) => index),
      );
    }
  });
}

test('a file that is full is renamed by its time, old ones are compressed, and no more are kept than wanted', async (t) => {
  const log = auditedIntoFile(t, policy, {'audit-log-maxsize': 1, 'audit-log-maxbackup': 2, 'audit-log-compress': true});
  const server = await start(t, log.options);
  await server.client.post(maps, {metadata: {name: 'large'}, data: {text: 'x'.repeat(300_000)}});
  for (let count = 0; count < 14; count += 1) await server.client.patch(`${maps}/large`, {data: {count: String(count)}});
  await server.stop();
  const folder = dirname(log.path);
  const names = readdirSync(folder).toSorted();
  t.is(names.at(-1), 'audit.log');
  t.is(names.length, 3);
  for (const name of names.slice(0, -1)) t.regex(name, /^audit-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}\.log\.gz$/);
  t.is(statSync(log.path).mode & 0o777, 0o600);
  const old = names.slice(0, -1).flatMap((name) => {
    const text = gunzipSync(readFileSync(join(folder, name))).toString('utf8');
    t.true(text.length <= 1024 * 1024);
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as LoggedEvent);
  });
  const counts = [...old, ...log.events()]
    .filter(({stage}) => stage === 'ResponseComplete')
    .map(({responseObject}) => Number((responseObject as {data: {count: string}}).data.count));
  t.deepEqual(
    counts,
    counts.toSorted((a, b) => a - b),
  );
  t.is(counts.at(-1), 13);
});

test('a file that cannot be opened keeps the server from starting', async (t) => {
  const log = auditedIntoFile(t, policy, {'audit-log-path': tempFolder(t)});
  await t.throwsAsync(startTestServer(log.options), {message: /EISDIR/});
});

test('events that cannot be written are counted and told once in ten seconds; blocking-strict refuses what it cannot record', async (t) => {
  for (const mode of ['blocking', 'blocking-strict'] as const) {
    const {logger, lines} = recordingLogger();
    const log = auditedIntoFile(t, policy, {'audit-log-path': '/dev/full', 'audit-log-mode': mode});
    const began = performance.now();
    const server = await start(t, {...log.options, logger});
    const answers = await Promise.all([1, 2, 3].map((count) => server.client.post(maps, {metadata: {name: `m${count}`}})));
    t.deepEqual(
      answers.map(({status}) => status),
      Array<number>(3).fill(mode === 'blocking' ? 201 : 500),
    );
    const metrics = (await server.client.get('/metrics')).body.toString();
    const figure = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)?.[1]);
    // What is refused has no further events.
    const events = mode === 'blocking' ? 6 : 3;
    t.is(figure('apiserver_audit_event_total'), events);
    t.is(figure('apiserver_audit_error_total{plugin="AuditLogFile"}'), events);
    t.is(figure('apiserver_audit_level_total{level="RequestResponse"}'), 3);
    t.is(figure('apiserver_audit_requests_rejected_total'), mode === 'blocking' ? 0 : 3);
    await server.stop();
    const told = lines.filter(({message}) => message === 'audit events are lost');
    t.true(told.length >= 1 && told.length <= 1 + Math.floor((performance.now() - began) / 10_000), `${told.length} lines`);
    const end = lines.find(({message}) => message === 'audit events were lost while the server ran');
    t.is(end!.fields['lost'], events);
  }
});

test('the format legacy has a line of text for each event', async (t) => {
  const log = auditedIntoFile(t, policy, {'audit-log-format': 'legacy'});
  const {client} = await start(t, log.options);
  await client.get(maps, {headers: {'user-agent': 'say "hi"', 'impersonate-user': 'jane', 'audit-id': 'one'}});
  const [received, complete] = readFileSync(log.path, 'utf8').trimEnd().split('\n');
  t.regex(
    received!,
    /^\d{4}-\S+Z AUDIT: id="one" stage="RequestReceived" ip="127\.0\.0\.1" method="list" user="orch-admin" groups="\\"system:masters\\",\\"system:authenticated\\"" as="<self>" asgroups="<lookup>" user-agent="say \\"hi\\"" namespace="default" uri="\/api\/v1\/namespaces\/default\/configmaps" response="<deferred>"$/,
  );
  t.regex(complete!, /as="jane" asgroups="\\"system:authenticated\\"" .* response="403"$/);
});

test('with truncation large events lose their bodies, and say so', async (t) => {
  const log = auditedIntoFile(t, policy, {'audit-log-truncate-enabled': true, 'audit-log-truncate-max-event-size': 2048});
  const {client} = await start(t, log.options);
  await client.post(maps, {metadata: {name: 'small'}});
  await client.post(maps, {metadata: {name: 'large'}, data: {text: 'x'.repeat(2000)}});
  const [small, large] = log.events().filter(({stage}) => stage === 'ResponseComplete');
  t.true(small!.requestObject !== undefined && small!.annotations!['audit.orch/truncated'] === undefined);
  t.true(large!.requestObject === undefined && large!.responseObject === undefined);
  t.is(large!.annotations!['audit.orch/truncated'], 'true');
  t.is(large!.objectRef!['name'], 'large');
});

test('a policy without a sink, and a sink without a policy, are told and record nothing; the file is closed with the server', async (t) => {
  const {logger, lines} = recordingLogger();
  const log = auditedIntoFile(t, policy);
  const {auditPolicyFile, flags} = log.options;
  await start(t, {auditPolicyFile, logger});
  const server = await start(t, {flags: flags!, logger});
  await server.client.post(maps, {metadata: {name: 'unrecorded'}});
  t.deepEqual(eventsIn(log.path), []);
  t.is(timesOpened(log.path), 1);
  await server.stop();
  t.is(timesOpened(log.path), 0);
  for (const text of [
    'no audit policy file is given: no events are recorded',
    'an audit policy file is given, but no audit log or webhook',
  ])
    await eventually(
      () => lines,
      (all) => all.some(({level, message}) => level === 'warn' && message === text),
    );
  t.pass();
});

test('the version of events may be named, and is the only one', async (t) => {
  for (const [platform, group] of [
    ['orch', 'audit.orch'],
    ['kubernetes', 'audit.k8s.io'],
  ] as const) {
    const version = `${group}/v1`;
    const log = auditedIntoFile(t, policy, {'audit-log-version': version, 'audit-webhook-version': version}, group);
    const {client} = await start(t, {...log.options, platform});
    t.is((await client.post(maps, {metadata: {name: 'versioned'}})).status, 201);
    t.true((await log.wait(() => true)).every(({apiVersion}) => apiVersion === version));
  }
  for (const flag of ['audit-log-version', 'audit-webhook-version'])
    await t.throwsAsync(start(t, {flags: {[flag]: 'audit.orch/v1beta1'}}), {
      message: new RegExp(`--${flag} must be audit\\.orch/v1, the only version of events, not "audit\\.orch/v1beta1"`),
    });
});
