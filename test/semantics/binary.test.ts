import {testOnEachStore} from '../helpers/each-store.js';
import {answer, assertFailure} from './answers.js';
import {configMap, withFixtures, type ReadList, type ReadObject} from './fixtures.js';
import {envelope, message, openBinary, readFields, text, textMap} from './protobuf-reader.js';

const eachStore = testOnEachStore(withFixtures);
const binary = 'application/vnd.orch.protobuf';
const acceptBinary = {headers: {accept: binary}};
const sendBinary = {headers: {'content-type': binary, accept: binary}};

eachStore(
  'the binary form is four bytes, then an envelope with kind and apiVersion and the whole object, neither encoded nor of another type [A-NEG-4] [A-PROTO-1] [A-PROTO-2] [A-PROTO-3] [A-PROTO-4] [A-PROTO-5]',
  async (t, {client, path}) => {
    const made = answer<ReadObject>(
      t,
      await client.post(path('configmaps'), {
        ...configMap('one', {a: '1', 'u.x': 'snow ☃'}, {labels: {l: 'v'}, annotations: {n: 'w'}, finalizers: ['example.com/hold']}),
        binaryData: {bin: Buffer.from([0, 255, 7]).toString('base64')},
        immutable: true,
      }),
      201,
    );
    const response = await client.get(`${path('configmaps')}/one`, acceptBinary);
    t.is(response.headers['content-type'], binary);
    t.deepEqual([...response.body.subarray(0, 4)], [0x6b, 0x38, 0x73, 0x00]);
    const {kind, apiVersion, raw, contentEncoding, contentType} = openBinary(response.body);
    t.deepEqual([kind, apiVersion, contentEncoding, contentType], ['ConfigMap', 'v1', '', '']);
    // ConfigMap: metadata = 1, data = 2, binaryData = 3, immutable = 4.
    t.deepEqual(textMap(raw, 2), made.data);
    const [entry] = raw.get(3)!.map((item) => readFields(item as Buffer));
    t.deepEqual([text(entry!, 1), ...(entry!.get(2)![0] as Buffer)], ['bin', 0, 255, 7]);
    t.is(raw.get(4)![0], 1n);
    // ObjectMeta: name = 1, namespace = 3, uid = 5, resourceVersion = 6, creationTimestamp = 8, labels = 11, annotations = 12, finalizers = 14.
    const metadata = readFields(raw.get(1)![0] as Buffer);
    t.deepEqual(
      [1, 3, 5, 6].map((number) => text(metadata, number)),
      [made.metadata.name, made.metadata.namespace!, made.metadata.uid, made.metadata.resourceVersion],
    );
    t.is(Number(readFields(metadata.get(8)![0] as Buffer).get(1)![0]), Date.parse(made.metadata.creationTimestamp) / 1000);
    t.deepEqual([textMap(metadata, 11), textMap(metadata, 12)], [made.metadata.labels, made.metadata.annotations]);
    t.is(text(metadata, 14), 'example.com/hold');
    // Nothing else is in either form.
    const expected = [1, 3, 5, 6, 8, 11, 12, 14];
    t.deepEqual(
      expected.filter((number) => !metadata.has(number)),
      [],
    );
    t.deepEqual([...raw.keys()].sort(), [1, 2, 3, 4]);
    await client.patch(`${path('configmaps')}/one`, {metadata: {finalizers: null}});
  },
);

eachStore('a list in binary form is an envelope around metadata and items [A-PROTO-2]', async (t, {client, path}) => {
  for (const name of ['a', 'b', 'c']) await client.post(path('configmaps'), configMap(name, {name}));
  const response = await client.get(`${path('configmaps')}?limit=2`, acceptBinary);
  const {kind, apiVersion, raw} = openBinary(response.body);
  t.deepEqual([kind, apiVersion], ['ConfigMapList', 'v1']);
  const metadata = readFields(raw.get(1)![0] as Buffer);
  t.regex(text(metadata, 2), /^\d+$/);
  t.is(metadata.get(4)![0], 1n);
  const items = raw.get(2)!.map((item) => readFields(item as Buffer));
  t.deepEqual(
    items.map((item) => textMap(item, 2)),
    [{name: 'a'}, {name: 'b'}],
  );
  const rest = openBinary((await client.get(`${path('configmaps')}?limit=2&continue=${text(metadata, 3)}`, acceptBinary)).body);
  t.is(rest.raw.get(2)!.length, 1);
  t.is(text(readFields(rest.raw.get(1)![0] as Buffer), 3), '');
});

eachStore('writes are read from the envelope, and what is read in JSON is what was sent [A-NEG-5]', async (t, {client, path}) => {
  const collection = path('configmaps');
  const body = (value: string, ...more: (readonly [number, string | Buffer])[]) =>
    envelope(
      'v1',
      'ConfigMap',
      message([1, message([1, 'one'], [11, message([1, 'l'], [2, 'v'])])], [2, message([1, 'a'], [2, value])], ...more),
    );
  const made = await client.post(collection, body('1'), sendBinary);
  t.is(made.status, 201);
  t.is(openBinary(made.body).kind, 'ConfigMap');
  const read = answer<ReadObject>(t, await client.get(`${collection}/one`), 200);
  t.deepEqual([read.data, read.metadata.labels], [{a: '1'}, {l: 'v'}]);
  t.is((await client.put(`${collection}/one`, body('2'), sendBinary)).status, 200);
  t.deepEqual(answer<ReadObject>(t, await client.get(`${collection}/one`), 200).data, {a: '2'});
  // A field that the schema does not know is passed over.
  t.is((await client.put(`${collection}/one`, body('3', [99, 'unknown']), sendBinary)).status, 200);
  // What the server wrote, it reads.
  const bytes = (await client.get(`${collection}/one`, acceptBinary)).body;
  t.is((await client.put(`${collection}/one`, bytes, sendBinary)).status, 200);
  t.is(answer<ReadObject>(t, await client.get(`${collection}/one`), 200).data?.['a'], '3');
});

eachStore('options of a deletion may be binary', async (t, {client, path}) => {
  const collection = path('configmaps');
  await client.post(collection, configMap('one'));
  // DeleteOptions: propagationPolicy = 4, dryRun = 5.
  const dryRun = envelope('v1', 'DeleteOptions', message([5, 'All']));
  t.is((await client.delete(`${collection}/one`, {body: dryRun, headers: {'content-type': binary}})).status, 200);
  answer(t, await client.get(`${collection}/one`), 200);
  const orphan = envelope('meta.orch/v1', 'DeleteOptions', message([4, 'Orphan']));
  const response = await client.delete(`${collection}/one`, {body: orphan, headers: {'content-type': binary}});
  t.deepEqual(answer<ReadObject>(t, response, 200).metadata.finalizers, ['orphan']);
  await client.patch(`${collection}/one`, {metadata: {finalizers: null}});
});

eachStore('bytes that are no envelope, or one of something else, are answered with 400', async (t, {client, path}) => {
  const whole = envelope('v1', 'ConfigMap', message([1, message([1, 'bad'])], [2, message([1, 'a'], [2, 'b'])]));
  const bodies: Record<string, Buffer> = {
    nothing: Buffer.alloc(0),
    'the prefix alone of another form': Buffer.from('6b387301', 'hex'),
    'another prefix': Buffer.concat([Buffer.from('00000000', 'hex'), whole.subarray(4)]),
    'cut off': whole.subarray(0, whole.length - 5),
    'a Secret': envelope('v1', 'Secret', message([1, message([1, 'bad'])])),
    'another version': envelope('v2', 'ConfigMap', message([1, message([1, 'bad'])])),
    'an endless number': Buffer.concat([whole.subarray(0, 4), Buffer.alloc(20, 0xff)]),
    'a group that is open': envelope('v1', 'ConfigMap', Buffer.from([0x0b])),
    'a length beyond the end': envelope('v1', 'ConfigMap', Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f])),
  };
  for (const [title, body] of Object.entries(bodies)) {
    const response = await client.post(path('configmaps'), body, {headers: {'content-type': binary}});
    t.is(response.status, 400, title);
    assertFailure(t, response, 400, 'BadRequest');
  }
  t.is(answer<ReadList>(t, await client.get(path('configmaps')), 200).items.length, 0);
});

eachStore('an answer without an object is binary too: the Status of a deletion and of a failure', async (t, {client, path}) => {
  const collection = path('configmaps');
  await client.post(collection, configMap('one'));
  // Status: status = 2, message = 3, reason = 4, code = 6.
  const gone = await client.delete(`${collection}/one`, acceptBinary);
  t.is(gone.headers['content-type'], binary);
  t.deepEqual([openBinary(gone.body).kind, text(openBinary(gone.body).raw, 2)], ['Status', 'Success']);
  const missing = await client.get(`${collection}/one`, acceptBinary);
  t.is(missing.status, 404);
  const status = openBinary(missing.body);
  t.deepEqual(
    [status.kind, status.apiVersion, text(status.raw, 2), text(status.raw, 4), status.raw.get(6)![0]],
    ['Status', 'v1', 'Failure', 'NotFound', 404n],
  );
  const json = await client.get(`${collection}/one`, {headers: {accept: `application/json, ${binary};q=0.5`}});
  assertFailure(t, json, 404, 'NotFound');
});

eachStore('a field of another wire type is refused by the name that it has in Go', async (t, {client, path}) => {
  // Field 1, the metadata: one byte, which begins field 12 with a type for numbers of 64 bits.
  const bytes = Buffer.from([0x6b, 0x38, 0x73, 0x00, 0x12, 0x03, 0x0a, 0x01, 0x61]);
  const refused = await client.post(path('configmaps'), bytes, sendBinary);
  const refusal = /^ConfigMap in version "v1" cannot be handled as a ConfigMap: proto: wrong wireType = 1 for field Annotations$/;
  assertFailure(t, await client.post(path('configmaps'), bytes, {headers: {'content-type': binary}}), 400, 'BadRequest', refusal);
  t.is(refused.status, 400);
});
