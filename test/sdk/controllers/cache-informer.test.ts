import test from 'ava';
import {orch} from '../../../core/api/naming/orch.js';
import {LocalClient} from '../../../core/registry/local/local-client.js';
import {RegistryCache} from '../../../core/registry/local/registry-cache.js';
import {createServer, type Server} from '../../../core/server/index.js';
import type {ApiObject, CacheFollower, ObjectCache, ObjectInCache} from '../../../sdk/index.js';
import {types} from '../../../sdk/client/index.js';
import {CacheInformer, objectsOf, Reconciler, type FollowedType} from '../../../sdk/controllers/index.js';
import {namespaced} from '../../../sdk/types/resource-handle.js';
import {quietControllers} from '../../../testing/quiet-controllers.js';
import {eventually, until} from '../../helpers/eventually.js';
import {recordingLogger} from '../../helpers/recording-logger.js';
import {tempFolder} from '../../helpers/temp-folder.js';

const {ConfigMap: configMaps, Namespace: namespaces} = types.core.v1;
const cleanups: (() => void | Promise<void>)[] = [];
const admin = {username: 'kit', groups: ['system:masters', 'system:authenticated']};
let server: Server;
let resources: LocalClient;
let cache: RegistryCache;

test.before(async () => {
  const dataDir = tempFolder({teardown: (work) => void cleanups.push(work)});
  server = await createServer({store: 'memory', securePort: 0, dataDir, controllers: quietControllers});
  await server.start();
  resources = new LocalClient(admin, orch, {registry: server.registry!});
  cache = new RegistryCache(server.registry!, orch);
});
test.after.always(async () => {
  await server.stop();
  for (const work of cleanups) await work();
});

const failed = (key: string, error: unknown): never => {
  throw new Error(`${key} could not be indexed`, {cause: error});
};

async function mapsIn(name: string) {
  await objectsOf(resources, namespaces).create({metadata: {name}});
  return objectsOf(resources, configMaps, name);
}

test('an informer finds objects by its indexes and by name, shares those of the cache, and follows changes and deletions', async (t) => {
  const maps = await mapsIn('indexed');
  await maps.create({metadata: {name: 'a', labels: {team: 'red'}}, data: {colour: 'green', other: 'blue'}});
  const keys: string[] = [];
  const informer = new CacheInformer(cache, configMaps, {
    indexes: {data: ({data = {}}) => Object.values(data)},
    metadataIndexes: {team: ({labels = {}}) => (labels['team'] ? [labels['team']] : [])},
    changed: (key) => keys.push(key),
    deleted: (key) => keys.push(`-${key}`),
    failed,
  });
  const abort = new AbortController();
  await informer.start(abort.signal);
  t.deepEqual(informer.by('data', 'green'), ['indexed/a']);
  t.deepEqual(informer.by('team', 'red'), ['indexed/a']);
  t.deepEqual(informer.by('team', 'none'), []);
  const found = await informer.get('a', 'indexed');
  t.deepEqual(found?.data, {colour: 'green', other: 'blue'});
  t.is(await informer.get('a', 'indexed'), found, 'not copied');
  t.is(informer.metadataView('a', 'indexed')?.metadata(), found?.metadata);
  t.is(await informer.get('none', 'indexed'), undefined);
  t.throws(() => informer.by('none', ''), {instanceOf: TypeError});

  await maps.create({metadata: {name: 'b'}, data: {colour: 'green'}});
  await maps.patch('a', 'merge', {metadata: {labels: {team: null}}, data: {colour: 'grey'}});
  t.deepEqual(informer.by('data', 'green'), ['indexed/b'], 'a change is seen before its writer is answered');
  t.deepEqual(informer.by('data', 'blue'), ['indexed/a']);
  t.deepEqual(informer.by('team', 'red'), []);
  t.deepEqual(
    [...informer.list('indexed')].map(({key}) => key),
    ['indexed/a', 'indexed/b'],
  );
  t.deepEqual([...informer.list('index')], [], 'only of this namespace');
  await maps.delete('b');
  t.deepEqual(informer.by('data', 'green'), []);
  const own = keys.filter((key) => key.replace('-', '').startsWith('indexed/'));
  t.deepEqual(own, ['indexed/a', 'indexed/b', 'indexed/a', '-indexed/b']);
  abort.abort();
  await maps.create({metadata: {name: 'c'}, data: {colour: 'green'}});
  t.deepEqual(informer.by('data', 'green'), [], 'the signal ends it');
});

test('an informer shows objects in the version that it was asked for, and follows a type that comes, goes and comes again', async (t) => {
  const gadgets = namespaced<ApiObject & {spec?: {size?: number}}>('informer.example.com', 'v2', 'gadgets', 'Gadget');
  const informer = new CacheInformer(cache, gadgets, {indexes: {size: ({spec}) => [String(spec?.size)]}, failed});
  const abort = new AbortController();
  t.teardown(() => abort.abort());
  const started = informer.start(abort.signal);
  const definitions = server.client.resource(types.apiextensions.v1.CustomResourceDefinition);
  for (const size of [1, 2]) {
    await definitions.create(gadgetDefinition as never);
    await eventually(
      () => resources.resources().some(({group, version: name}) => group === gadgets.group && name === 'v2'),
      (served) => served,
    );
    if (size === 1) await started;
    await objectsOf(resources, {...gadgets, version: 'v1'}, 'default').create({metadata: {name: 'one'}, spec: {size}});
    await until('the gadget is known', () => informer.by('size', String(size)).length === 1);
    t.is((await informer.get('one', 'default'))?.apiVersion, 'informer.example.com/v2');
    await definitions.delete('gadgets.informer.example.com');
    await until('the gadget is gone', () => informer.by('size', String(size)).length === 0);
    await until('the definition is gone', async () =>
      definitions.get('gadgets.informer.example.com').then(
        () => false,
        () => true,
      ),
    );
  }
});

const gadgetDefinition = {
  metadata: {name: 'gadgets.informer.example.com'},
  spec: {
    group: 'informer.example.com',
    names: {plural: 'gadgets', singular: 'gadget', kind: 'Gadget'},
    scope: 'Namespaced',
    versions: ['v1', 'v2'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: {openAPIV3Schema: {type: 'object', properties: {spec: {type: 'object', properties: {size: {type: 'integer'}}}}}},
    })),
  },
};

test('what is not told again after the history was lost is gone from the indexes; an object that cannot be indexed hides no other', async (t) => {
  const object = (name: string) => ({
    key: `n/${name}`,
    namespace: 'n',
    name,
    mentions: () => false,
    mayBeOwnedOrDeleted: false,
    metadata: () => ({name}),
    labels: () => undefined,
  });
  let follower!: CacheFollower;
  const scripted = {
    follow: (_ref: unknown, given: CacheFollower) => void (follower = given),
    onTypesChanged: () => () => undefined,
    read: (_ref: unknown, {name}: ObjectInCache) => {
      if (name === 'bad') throw new Error('cannot be read');
      return {metadata: {name}};
    },
  } as unknown as ObjectCache;
  const gone: string[] = [];
  const faults: string[] = [];
  const informer = new CacheInformer(scripted, configMaps, {
    indexes: {all: () => ['x', 'x']},
    deleted: (key) => gone.push(key),
    failed: (key) => faults.push(key),
  });
  const started = informer.start(AbortSignal.timeout(60_000));
  for (const name of ['a', 'bad', 'b']) follower.changed(object(name));
  follower.listed();
  await started;
  t.deepEqual(informer.by('all', 'x'), ['n/a', 'n/b']);
  t.deepEqual(faults, ['n/bad']);
  follower.reset(['a', 'bad', 'b'].map(object));
  t.deepEqual(informer.by('all', 'x'), ['n/a', 'n/b'], 'until it is known what is there');
  follower.changed(object('b'));
  follower.listed();
  t.deepEqual(gone, ['n/a', 'n/bad']);
  t.deepEqual(informer.by('all', 'x'), ['n/b']);
});

test('a Reconciler with the cache makes no requests, gives metadata alone where that is enough, and resyncs', async (t) => {
  const maps = await mapsIn('reconciled');
  await maps.create({metadata: {name: 'a'}, data: {x: '1'}});
  const {logger} = recordingLogger();
  const none = {resources: () => resources.resources()} as unknown as LocalClient;
  const abort = new AbortController();
  const seen: string[] = [];
  const given: ApiObject[] = [];
  const type = (more: Partial<FollowedType>): FollowedType => ({
    ref: configMaps,
    changed: (object) => {
      if (object.metadata.namespace !== 'reconciled') return [];
      given.push(object);
      return [object.metadata.name!];
    },
    listed: () => ['listed'],
    ...more,
  });
  const run = (more: Partial<FollowedType>, resyncMillis?: number) => {
    const reconciler = new Reconciler({
      resources: none,
      cache,
      naming: orch,
      logger,
      concurrency: 1,
      types: [type(more)],
      ...(resyncMillis === undefined ? {} : {resyncMillis}),
      reconcile: async (key) => {
        seen.push(key);
        return {done: true};
      },
    });
    void reconciler.start(abort.signal);
    return reconciler;
  };
  const first = run({metadataOnly: true});
  await until('all is reconciled', () => seen.length === 2);
  t.deepEqual(seen.toSorted(), ['a', 'listed']);
  t.deepEqual(Object.keys(given[0]!), ['metadata']);
  await maps.create({metadata: {name: 'b'}});
  await until('b is reconciled', () => seen.includes('b'));
  await maps.delete('b');
  await until('the deletion is reconciled', () => seen.filter((key) => key === 'b').length === 2);
  await first.stop();

  given.length = 0;
  const second = run({}, 20);
  await until('a is reconciled again and again', () => given.length > 3);
  t.deepEqual(given[0]?.['data'], {x: '1'});
  abort.abort();
  await second.stop();
});
