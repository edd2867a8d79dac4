import test, {type ExecutionContext} from 'ava';
import type {ResourceStrategy} from '../../../../sdk/index.js';
import {bodySource, context, namespace, startRegistry, widget} from '../registry-fixture.js';

const schema = (properties: object) => ({type: 'object', properties: {spec: {type: 'object', properties}}}) as never;

/** Two versions of widgets: v1, which is stored, has `size`, and v2 calls it `extent`. */
const versions = [
  {name: 'v1', served: true, storage: true, schema: schema({size: {type: 'string'}})},
  {name: 'v2', served: true, schema: schema({extent: {type: 'string'}})},
];

/** Converts by hand, and counts how often. */
function converting() {
  let count = 0;
  const strategy: ResourceStrategy = {
    convert(object, {version}) {
      count += 1;
      const spec = (object as unknown as {spec?: Record<string, string>}).spec ?? {};
      const text = spec['size'] ?? spec['extent'];
      const named = version === 'v2' ? {extent: text} : {size: text};
      return {...object, apiVersion: `example.com/${version}`, spec: named} as never;
    },
  };
  return {strategy, count: () => count};
}

async function start(t: ExecutionContext) {
  const {strategy, count} = converting();
  const {registry, resource} = await startRegistry(t, {strategy, definition: {versions}});
  const {type} = resource().served.version;
  const inVersion = (name: string) =>
    registry.resource(
      type.versions.find((version) => version.definition.name === name)!,
      '',
    )!;
  const [first, second] = [inVersion('v1'), inVersion('v2')];
  const {result} = await first.create({namespace, name: ''}, bodySource(widget('a', {spec: {size: 'large'}})), context());
  const stored = (await first.served.storage.get(namespace, 'a', 'recent'))!;
  return {made: result, stored, first: first.served, second: second.served, count};
}

test('an object is shown in its stored version by the bytes that are stored', async (t) => {
  const {stored, first, count} = await start(t);
  const before = count();
  t.is(first.view.convertedNow(stored), stored);
  t.is(first.view.converted(stored), stored);
  t.true(first.view.isReady(stored));
  t.is(count(), before);
});

test('an object is converted for another version, and the stored one stays as it is', async (t) => {
  const {stored, second} = await start(t);
  const text = stored.bytes.toString();
  const shown = second.view.convertedNow(stored);
  t.like(shown.object(), {apiVersion: 'example.com/v2', kind: 'Widget', spec: {extent: 'large'}});
  t.like(shown, {key: stored.key, namespace: stored.namespace, name: 'a', revision: stored.revision});
  t.deepEqual(JSON.parse(shown.bytes.toString()), shown.object());
  t.regex(shown.bytes.toString(), /^\{"apiVersion":"example\.com\/v2","kind":"Widget","metadata":/);
  t.is(stored.bytes.toString(), text);
});

test('whether writing an object again would change the store depends on the version that is stored', async (t) => {
  const {stored, first, second} = await start(t);
  t.true(first.view.isStoredAsConverted(stored));
  t.true(second.view.isStoredAsConverted(stored));
});

test('a converted object keeps its text when it is packed, and a new revision is seen in both', async (t) => {
  const {stored, second} = await start(t);
  const shown = second.view.convertedNow(stored) as ReturnType<typeof second.view.convertedNow> & {
    pack(): unknown;
    withRevision(revision: number): typeof stored;
  };
  const object = shown.object();
  shown.pack();
  t.deepEqual(shown.object(), object);
  const later = shown.withRevision(stored.revision + 5);
  t.is(later.revision, stored.revision + 5);
  t.is(later.object().metadata.resourceVersion, String(stored.revision + 5));
  t.is(shown.object().metadata.resourceVersion, object.metadata.resourceVersion);
  t.like(later.fields(), {'metadata.name': 'a', 'metadata.namespace': namespace});
});
