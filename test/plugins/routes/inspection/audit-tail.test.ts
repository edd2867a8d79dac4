import test from 'ava';
import fc from 'fast-check';
import {startTestServer} from '@orch-api/orch/testing';
import type {AuditEvent} from '../../../../sdk/index.js';
import {AuditTail, type TailPart} from '../../../../plugins/routes/inspection/audit-tail.js';
import * as bounds from '../../../../plugins/routes/inspection/bounds.js';
import {auditedIntoFile, policyFile} from '../../../helpers/audit-log.js';
import {eventually} from '../../../helpers/eventually.js';

const event = (id: string, more: Partial<AuditEvent> = {}): AuditEvent => ({
  level: 'Metadata',
  auditID: id,
  stage: 'ResponseComplete',
  requestURI: '/api',
  verb: 'get',
  user: {username: 'alice', groups: []},
  impersonatedUser: undefined,
  sourceIPs: ['127.0.0.1'],
  userAgent: 'test',
  objectRef: undefined,
  responseStatus: {code: 200},
  requestReceivedTimestamp: '2026-11-27T08:00:00.000000Z',
  stageTimestamp: '2026-11-27T08:00:00.000000Z',
  annotations: undefined,
  json: Buffer.alloc(0),
  withoutBodies: () => event(id),
  ...more,
});

interface Answer extends TailPart {
  readonly recording: boolean;
}

test('what comes after a number is shown in order, and how much was missed', (t) => {
  fc.assert(
    fc.property(fc.integer({min: 0, max: 2500}), fc.integer({min: 0, max: 3000}), (count, after) => {
      const tail = new AuditTail();
      for (let number = 1; number <= count; number++) tail.add(event(String(number)));
      const {last, missed, items} = tail.after(after);
      const first = Math.max(after, count - bounds.auditListed) + 1;
      const expected = Array.from({length: Math.max(0, count - first + 1)}, (_, index) => String(first + index));
      t.is(last, count);
      t.deepEqual(
        items.map(({id}) => id),
        expected,
      );
      t.is(missed, Math.max(0, count - after - expected.length));
    }),
    {numRuns: 50},
  );
});

test('events are bounded in number and bytes, whatever clients put into them', (t) => {
  const tail = new AuditTail();
  const long = 'x'.repeat(100_000);
  const annotations = Object.fromEntries(Array.from({length: 1000}, (_, index) => [`${index}${long}`, long]));
  for (let number = 0; number < 2000; number++)
    tail.add(
      event(long, {
        requestURI: long,
        userAgent: long,
        annotations,
        user: {username: long, groups: [long]},
        sourceIPs: Array(1000).fill(long),
      }),
    );
  t.true(tail.bytes <= bounds.auditBytes);
  const {items} = tail.after(0);
  t.true(items.length > 0);
  t.true(Buffer.byteLength(JSON.stringify(items)) < 2 * bounds.auditBytes);
});

test('the audit log is shown as it grows, without the bodies that it has', async (t) => {
  const {options, wait} = auditedIntoFile(t, {rules: [{level: 'RequestResponse', resources: [{group: '', resources: ['secrets']}]}]});
  await using server = await startTestServer({...options, enablePlugins: ['inspection']});
  const ask = async (after: number) => (await server.client.get(`/inspection/audit?after=${after}`)).json<Answer>();
  const {recording, last} = await ask(0);
  t.true(recording);
  const made = await server.client.post('/api/v1/namespaces/default/secrets', {metadata: {name: 'one'}, stringData: {word: 'hunter2'}});
  const id = String(made.headers['audit-id']);
  const grown = await eventually(
    () => ask(last),
    ({items}) => items.some((item) => item.id === id && item.stage === 'ResponseComplete'),
  );
  t.like(
    grown.items.find((item) => item.id === id && item.stage === 'ResponseComplete'),
    {verb: 'create', user: 'orch-admin', code: 201, object: {resource: 'secrets', namespace: 'default', name: 'one'}},
  );
  const [logged] = await wait(({auditID, stage}) => auditID === id && stage === 'ResponseComplete');
  t.true(JSON.stringify(logged).includes('aHVudGVyMg'), 'the log itself has the body');
  t.false(JSON.stringify(grown).includes('aHVudGVyMg'));
  t.deepEqual((await ask(grown.last)).items, []);
  for (const after of ['x', '-1', '1e3', '1&after=2', '9'.repeat(300)])
    t.is((await server.client.get(`/inspection/audit?after=${after}`)).status, 400, after);
});

test('a policy alone records nothing, and neither does somebody who looks on', async (t) => {
  await using server = await startTestServer({
    auditPolicyFile: policyFile(t, {rules: [{level: 'Metadata'}]}),
    enablePlugins: ['inspection'],
  });
  await server.client.get('/api/v1/namespaces');
  const answer = (await server.client.get('/inspection/audit')).json<Answer>();
  t.deepEqual(answer, {recording: false, last: 0, missed: 0, items: []});
});
