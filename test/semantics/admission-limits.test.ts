import type {TestClient} from '@orch-api/orch/testing';
import {testOnEachStore} from '../helpers/each-store.js';
import {answer, assertFailure} from './answers.js';
import {gadget, gadgets, reservationsVersion, withFixtures, type ReadObject} from './fixtures.js';

const eachStore = testOnEachStore(withFixtures);
const json = 'application/json-patch+json';
const apply = 'application/apply-patch+yaml';
const meddle = (members: object, key = 'test/meddle') => ({annotations: {[key]: JSON.stringify(members)}});

/** Writes of an object by every verb, each of which changes its spec. */
function writes(client: TestClient, item: string, body: (text: string) => object): [string, () => ReturnType<TestClient['get']>][] {
  return [
    ['PUT', () => client.put(item, body('put'))],
    ['merge patch', () => client.patch(item, {spec: {text: 'merged'}})],
    ['JSON patch', () => client.patch(item, [{op: 'replace', path: '/spec/text', value: 'patched'}], json)],
    ['apply', () => client.patch(`${item}?fieldManager=me&force=true`, body('applied'), apply)],
    ['dry run', () => client.put(`${item}?dryRun=All`, body('dry'))],
  ];
}

eachStore('a mutating controller sets no status through the object, neither on create nor on update', async (t, {client}) => {
  const {metadata} = gadget();
  const more = meddle({status: {phase: 'Meddled'}, spec: {small: 7}});
  const body = (text: string) => gadget({text}, {name: metadata.name, ...more});
  const item = `${gadgets}/${metadata.name}`;
  for (const [what, made] of [
    ['dry run', await client.post(`${gadgets}?dryRun=All`, body('made'))],
    ['create', await client.post(gadgets, body('made'))],
  ] as const) {
    const {spec, status} = answer<ReadObject>(t, made, 201);
    t.deepEqual([spec?.['small'], status], [7, undefined], what);
  }
  for (const [what, write] of writes(client, item, body)) {
    const changed = answer<ReadObject>(t, await write(), 200);
    t.deepEqual([changed.spec?.['small'], changed.status], [7, undefined], what);
  }
  // A status that is there stays.
  const ready = answer<ReadObject>(t, await client.patch(`${item}/status`, {status: {phase: 'Ready'}}), 200);
  t.deepEqual(ready.status, {phase: 'Ready'});
  const other = (text: string) => ({...body(text), metadata: {...body(text).metadata, ...meddle({status: {phase: 'Other'}})}});
  for (const [what, write] of writes(client, item, other))
    t.deepEqual(answer<ReadObject>(t, await write(), 200).status, ready.status, what);
});

eachStore('a mutating controller sets nothing but the status through status', async (t, {client, path}) => {
  const reservation = {metadata: {name: 'one'}, spec: {room: 'a', from: '2026-01-01T10:00:00Z', seats: 2}};
  for (const [collection, body, spec] of [
    [gadgets, gadget({small: 2}), {small: 9}],
    [path('reservations', reservationsVersion), reservation, {seats: 9}],
  ] as const) {
    const {name} = body.metadata;
    const metadata = {labels: {meddled: 'yes'}, finalizers: ['example.com/meddled']};
    const more = meddle({spec, metadata, status: {phase: 'Rejected'}}, 'test/meddle-status');
    const stored = answer<ReadObject>(t, await client.post(collection, {...body, metadata: {name, ...more}}), 201);
    const item = `${collection}/${name}/status`;
    const status = {phase: 'Confirmed'};
    const {apiVersion, kind, spec: wanted} = stored;
    for (const [what, write] of [
      ['PUT', () => client.put(item, {apiVersion, kind, metadata: {name, ...more}, spec: wanted, status})],
      ['merge patch', () => client.patch(item, {status})],
      ['JSON patch', () => client.patch(item, [{op: 'add', path: '/status', value: status}], json)],
      ['apply', () => client.patch(`${item}?fieldManager=me&force=true`, {apiVersion, kind, metadata: {name}, status}, apply)],
    ] as const) {
      const changed = answer<ReadObject>(t, await write(), 200);
      t.deepEqual(changed.status, {phase: 'Rejected'}, what);
      t.deepEqual(changed.spec, stored.spec, what);
      t.deepEqual([changed.metadata.labels, changed.metadata.finalizers], [undefined, undefined], what);
      t.deepEqual(answer<ReadObject>(t, await client.get(`${collection}/${name}`), 200), changed, what);
    }
  }
});

eachStore('what the server alone decides no controller decides', async (t, {client}) => {
  const mine = {
    apiVersion: 'other/v1',
    kind: 'Other',
    metadata: {
      uid: 'mine',
      creationTimestamp: '2001-01-01T00:00:00Z',
      generation: 99,
      resourceVersion: '7',
      deletionTimestamp: '2001-01-01T00:00:00Z',
    },
  };
  const body = gadget({}, meddle(mine));
  const made = answer<ReadObject>(t, await client.post(gadgets, body), 201);
  t.deepEqual([made.kind, made.metadata.generation, made.metadata.deletionTimestamp], ['Gadget', 1, undefined]);
  t.regex(made.metadata.uid, /^[0-9a-f]{8}-/);
  t.true(Date.parse(made.metadata.creationTimestamp) > Date.parse('2020-01-01'));

  const item = `${gadgets}/${body.metadata.name}`;
  // Of an object that is there they are compared with what is stored.
  assertFailure(t, await client.patch(item, {spec: {text: 'other'}}), 422, 'Invalid', /metadata\.(uid|deletionTimestamp): .*immutable/);
  const {apiVersion, kind} = mine;
  const less = meddle({apiVersion, kind, metadata: {creationTimestamp: '2001-01-01T00:00:00Z', generation: 99, resourceVersion: '7'}});
  const other = gadget({}, less);
  const first = answer<ReadObject>(t, await client.post(gadgets, other), 201);
  const changed = answer<ReadObject>(t, await client.patch(`${gadgets}/${other.metadata.name}`, {spec: {text: 'other'}}), 200);
  t.deepEqual(
    [changed.kind, changed.metadata.generation, changed.metadata.creationTimestamp],
    ['Gadget', 2, first.metadata.creationTimestamp],
  );
});
