import {atOnce} from '../../sdk/values/interruptible.js';
import {cborCodec} from '../../core/api/cbor/cbor-codec.js';
import {testOnEachStore} from '../helpers/each-store.js';
import {answer} from './answers.js';
import {configMap, type ReadList, type ReadObject} from './fixtures.js';

const eachStore = testOnEachStore({platform: 'kubernetes', release: '1.36', featureGates: {CBORServingAndStorage: true}});
const cbor = 'application/cbor';
const both = {headers: {accept: cbor, 'content-type': cbor}};
const readAll = (bytes: Buffer) => atOnce(cborCodec.read(bytes, {depth: 1000, values: 60_000}, false)).value;

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'parcels.cbor.example.com'},
  spec: {
    group: 'cbor.example.com',
    scope: 'Namespaced',
    names: {plural: 'parcels', singular: 'parcel', kind: 'Parcel', listKind: 'ParcelList'},
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {openAPIV3Schema: {type: 'object', properties: {spec: {type: 'object', properties: {grams: {type: 'integer'}}}}}},
      },
    ],
  },
};

eachStore(
  'objects, lists and watches in CBOR say what those in JSON say, and bodies in CBOR make the objects that JSON makes [A-CBOR-1] [A-CBOR-2] [A-CBOR-3] [A-CBOR-4]',
  async (t, {client, path}) => {
    const collection = path('configmaps');
    const sent = cborCodec.encode(configMap('one', {a: '1', b: 'ß'}));
    const made = await client.request('POST', collection, {...both, body: sent});
    t.deepEqual([made.status, made.headers['content-type'], made.body.subarray(0, 3).toString('hex')], [201, cbor, 'd9d9f7']);
    const plain = answer<ReadObject>(t, await client.get(`${collection}/one`), 200);
    t.deepEqual(readAll(made.body), plain as never);
    t.deepEqual(plain.data, {a: '1', b: 'ß'});

    const replaced = {...plain, data: {a: '2'}};
    t.is((await client.request('PUT', `${collection}/one`, {...both, body: cborCodec.encode(replaced)})).status, 200);
    for (const name of ['two', 'three']) await client.post(collection, configMap(name, {name}));
    const list = answer<ReadList>(t, await client.get(collection), 200);
    const listed = readAll((await client.get(collection, {headers: {accept: cbor}})).body) as unknown as ReadList;
    t.deepEqual([listed.kind, listed.items], [list.kind, list.items]);
    const page = readAll((await client.get(`${collection}?limit=1`, {headers: {accept: cbor}})).body) as unknown as ReadList;
    t.deepEqual([page.items.length, page.metadata.remainingItemCount], [1, 2]);

    const watched = await client.get(`${collection}?watch=1&resourceVersion=0&timeoutSeconds=1`, {headers: {accept: cbor}});
    t.is(watched.headers['content-type'], 'application/cbor-seq');
    const names = watched.body.toString('latin1').match(/Dtype/g) ?? [];
    t.is(names.length, 3, 'one item for each event');

    const partial = `${cbor};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`;
    const metadata = readAll((await client.get(`${collection}/two`, {headers: {accept: partial}})).body) as unknown as ReadObject;
    t.deepEqual([metadata.kind, metadata.metadata.name, metadata.data], ['PartialObjectMetadata', 'two', undefined]);
    const missing = await client.get(`${collection}/none`, {headers: {accept: cbor}});
    t.deepEqual([missing.status, (readAll(missing.body) as {reason?: string}).reason], [404, 'NotFound']);
  },
);

eachStore(
  'custom resources are read and written in CBOR like built-in types, and what is applied too [A-CBOR-5]',
  async (t, {client, path}) => {
    await client.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    const collection = path('parcels', 'cbor.example.com/v1');
    for (let left = 100; left > 0 && (await client.get(collection)).status !== 200; left--)
      await new Promise((resolve) => setTimeout(resolve, 50));
    const parcel = {apiVersion: 'cbor.example.com/v1', kind: 'Parcel', metadata: {name: 'one'}, spec: {grams: 250}};
    const applied = await client.request('PATCH', `${collection}/one?fieldManager=test`, {
      headers: {accept: cbor, 'content-type': 'application/apply-patch+cbor'},
      body: cborCodec.encode(parcel),
    });
    t.is(applied.status, 201);
    const stored = answer<ReadObject>(t, await client.get(`${collection}/one`), 200);
    t.deepEqual(readAll(applied.body), stored as never);
    t.deepEqual(stored.spec, {grams: 250});
    const wrong = await client.request('POST', collection, {...both, body: cborCodec.encode({...parcel, spec: {grams: 'x'}})});
    t.is(wrong.status, 422);
    const listed = readAll((await client.get(collection, {headers: {accept: cbor}})).body) as unknown as ReadList;
    t.deepEqual([listed.kind, listed.items.length], ['ParcelList', 1]);
  },
);

eachStore('without the gate there is no CBOR: 406, 415, and no word of it [A-CBOR-6]', async (t, {start, namespace}) => {
  const {client} = await start({platform: 'kubernetes', release: '1.36', featureGates: {CBORServingAndStorage: false}});
  const collection = `/api/v1/namespaces/${namespace}/configmaps`;
  const refused = await client.get(collection, {headers: {accept: cbor}});
  t.is(refused.status, 406);
  t.false(refused.body.toString().includes('cbor'));
  const body = cborCodec.encode(configMap('one'));
  t.is((await client.request('POST', collection, {headers: {'content-type': cbor}, body})).status, 415);
  const patch = {headers: {'content-type': 'application/apply-patch+cbor'}, body};
  t.is((await client.request('PATCH', `${collection}/one?fieldManager=test`, patch)).status, 415);
});
