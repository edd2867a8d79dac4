import test, {type ExecutionContext} from 'ava';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Status} from '@orch-api/orch/sdk';
import {startTestServer, type TestClient} from '@orch-api/orch/testing';
import {RateLimiter} from '../../../plugins/admission/event-rate-limit/rate-limiter.js';
import {testOnEachStore} from '../../helpers/each-store.js';
import {tempFolder} from '../../helpers/temp-folder.js';

const storeTest = testOnEachStore({platform: 'kubernetes'});
const head = {apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration'};
const form = {apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1', kind: 'Configuration'};

function options(t: ExecutionContext, ...limits: object[]) {
  const folder = tempFolder(t);
  const file = join(folder, 'admission.json');
  writeFileSync(join(folder, 'events.yaml'), JSON.stringify({...form, limits}));
  writeFileSync(file, JSON.stringify({...head, plugins: [{name: 'EventRateLimit', path: 'events.yaml'}]}));
  return {platform: 'kubernetes', enableAdmissionPlugins: ['EventRateLimit'], admissionControlConfigFile: file};
}

let events = 0;
/** Sends an event; answers the status and the message. */
async function send(client: TestClient, more: {namespace?: string; about?: string; user?: string} = {}): Promise<[number, string?]> {
  const {namespace = 'default', about = 'pod', user} = more;
  const involvedObject = {kind: 'Pod', namespace, name: about, apiVersion: 'v1'};
  const body = {metadata: {name: `e${++events}`}, involvedObject, source: {component: 'test'}, reason: 'Because'};
  const headers: Record<string, string> = user ? {'impersonate-user': user, 'impersonate-group': 'system:masters'} : {};
  const answer = await client.post(`/api/v1/namespaces/${namespace}/events`, body, {headers});
  return answer.status === 201 ? [201] : [answer.status, answer.json<Status>().message];
}

storeTest('events are limited for the whole server, in both of their groups', async (t, {start}) => {
  const {client} = await start(options(t, {type: 'Server', qps: 1, burst: 2}));
  t.deepEqual(await send(client), [201]);
  t.is((await client.post('/api/v1/namespaces/default/configmaps', {metadata: {name: 'c'}})).status, 201, 'other objects are not events');
  const newer = {
    metadata: {name: 'newer'},
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'example.com/test',
    reportingInstance: 'one',
    action: 'Act',
    reason: 'Because',
    type: 'Normal',
    regarding: {kind: 'Pod', namespace: 'default', name: 'p'},
  };
  const second = await client.post('/apis/events.k8s.io/v1/namespaces/default/events', newer);
  t.is(second.status, 201, second.body.toString());
  t.deepEqual(await send(client), [429, 'Too many requests: limit reached on type Server for key ']);
});

storeTest('events are limited by namespace, user, and source and object', async (t, {start}) => {
  const {client} = await start(
    options(
      t,
      {type: 'Namespace', qps: 1, burst: 3, cacheSize: 10},
      {type: 'User', qps: 1, burst: 4},
      {type: 'SourceAndObject', qps: 1, burst: 2},
    ),
  );
  t.deepEqual(await send(client), [201]);
  t.deepEqual(await send(client), [201]);
  t.deepEqual(await send(client), [429, 'Too many requests: limit reached on type SourceAndObject for key testPoddefaultpodv1']);
  t.deepEqual(await send(client, {about: 'other'}), [429, 'Too many requests: limit reached on type Namespace for key default']);
  await client.post('/api/v1/namespaces', {metadata: {name: 'n'}});
  const [status, message] = await send(client, {namespace: 'n'});
  t.is(status, 429);
  t.regex(message!, /limit reached on type User for key \S+$/);
  t.deepEqual(await send(client, {namespace: 'n', user: 'ada', about: 'x'}), [201]);
  const all = await send(client);
  t.regex(
    all[1]!,
    /^Too many requests: \[limit reached on type Namespace .*, limit reached on type User .*, limit reached on type SourceAndObject .*\]$/,
  );
});

test('a rate limiter lets a burst through, then its rate, and saves no more than a burst', (t) => {
  const limiter = new RateLimiter(10, 3, 0);
  const accepted = (now: number, tries: number) => Array.from({length: tries}, () => limiter.tryAccept(now)).filter(Boolean).length;
  t.is(accepted(0, 5), 3);
  t.is(accepted(99, 5), 0);
  t.is(accepted(100, 5), 1);
  t.is(accepted(300, 5), 2);
  t.is(accepted(100_000, 50), 3);
});

test('EventRateLimit needs limits that are right', async (t) => {
  const limits = [{type: 'Cluster', qps: 0, burst: 1.5, cacheSize: -1, more: 1}];
  const error = await t.throwsAsync(startTestServer(options(t, ...limits)));
  for (const pattern of [
    /limits\[0\]\.type: must be one of Server/,
    /qps: must be a whole number, and positive/,
    /burst:/,
    /cacheSize:/,
    /limits\[0\]\.more: is not known/,
  ])
    t.regex(error.message, pattern);
  const none = await t.throwsAsync(startTestServer({enableAdmissionPlugins: ['EventRateLimit']}));
  t.regex(none.message, /EventRateLimit.*needs a configuration/s);
});
