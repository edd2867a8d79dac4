import {testOnEachStore} from '../helpers/each-store.js';
import {configMap, widget, widgetsVersion, withFixtures} from './fixtures.js';
import {openBinary, readFields, text, type Fields} from './protobuf-reader.js';

const eachStore = testOnEachStore(withFixtures);
const binary = 'application/vnd.orch.protobuf';
/** As the metadata client of Kubernetes asks: the binary form first, then JSON. */
const accepting = (as: string, version: string) => ({
  headers: {accept: [binary, 'application/json'].map((type) => `${type};as=${as};g=meta.orch;v=${version}`).join()},
});

/** What a message of an object's metadata says: its name, and the value of its label. */
function shown(fields: Fields): (string | undefined)[] {
  const metadata = readFields(fields.get(1)![0] as Buffer);
  const [label] = (metadata.get(11) ?? []) as Buffer[];
  return [[...fields.keys()].join(), text(metadata, 1), label && text(readFields(label), 2)];
}

eachStore(
  'metadata alone can be had in the binary form, of custom types too: of objects, of lists, of what is watched',
  async (t, {client, path}) => {
    const labels = {tier: 'front'};
    const types = [
      [path('configmaps'), {...configMap('one'), metadata: {name: 'one', labels}}],
      [path('widgets', widgetsVersion), {...widget('one'), metadata: {name: 'one', labels}}],
    ] as const;
    for (const [collection, body] of types) {
      t.is((await client.post(collection, body)).status, 201);
      for (const version of ['v1', 'v1beta1']) {
        const apiVersion = `meta.orch/${version}`;
        const one = await client.get(`${collection}/one`, accepting('PartialObjectMetadata', version));
        t.is(one.headers['content-type'], binary);
        const object = openBinary(one.body);
        t.deepEqual([object.kind, object.apiVersion, ...shown(object.raw)], ['PartialObjectMetadata', apiVersion, '1', 'one', 'front']);

        const selector = 'labelSelector=tier%3Dfront';
        const many = await client.get(`${collection}?${selector}`, accepting('PartialObjectMetadataList', version));
        t.is(many.headers['content-type'], binary);
        const list = openBinary(many.body);
        t.deepEqual([list.kind, list.apiVersion], ['PartialObjectMetadataList', apiVersion]);
        t.regex(text(readFields(list.raw.get(1)![0] as Buffer), 2), /^\d+$/);
        t.deepEqual(
          (list.raw.get(2) as Buffer[]).map((item) => shown(readFields(item))),
          [['1', 'one', 'front']],
        );

        const watch = await client.get(`${collection}?watch=1&timeoutSeconds=1&${selector}`, accepting('PartialObjectMetadata', version));
        t.is(watch.headers['content-type'], `${binary};stream=watch`);
        const length = watch.body.readUInt32BE(0);
        const event = readFields(watch.body.subarray(4, 4 + length));
        const carried = openBinary(readFields(event.get(2)![0] as Buffer).get(1)![0] as Buffer);
        t.deepEqual(
          [text(event, 1), carried.kind, carried.apiVersion, ...shown(carried.raw)],
          ['ADDED', 'PartialObjectMetadata', apiVersion, '1', 'one', 'front'],
        );
      }
    }
  },
);
