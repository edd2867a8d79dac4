import test, {type ExecutionContext} from 'ava';
import {until} from '../../helpers/eventually.js';
import {setTimeout as delay} from 'node:timers/promises';
import {orch} from '../../../core/api/naming/orch.js';
import {MetricRegistry} from '../../../core/metrics/metric-registry.js';
import {NamespaceController} from '../../../plugins/controllers/namespace/plugin.js';
import {NamespaceStrategy} from '../../../plugins/resources/core/namespace-strategy.js';
import {conflict, serviceUnavailable, type ApiObject, type Logger} from '../../../sdk/index.js';
import {MemoryResources} from '../memory-resources.js';

const namespaces = {group: '', version: 'v1', resource: 'namespaces'};
const configMaps = {group: '', version: 'v1', resource: 'configmaps'};
const widgets = {group: 'example.com', version: 'v1', resource: 'widgets'};
const nodes = {group: '', version: 'v1', resource: 'nodes'};
const verbs = ['list', 'watch', 'delete', 'deletecollection'];

interface Conditioned extends ApiObject {
  status: {phase: string; conditions: {type: string; status: string; reason: string; message: string; lastTransitionTime: string}[]};
}

function setUp() {
  const types: ConstructorParameters<typeof MemoryResources>[0][number][] = [
    {...configMaps, kind: 'ConfigMap', namespaced: true, verbs},
    {...widgets, kind: 'Widget', namespaced: true, verbs: ['list', 'delete']},
    {...widgets, resource: 'reviews', kind: 'Review', namespaced: true, verbs: ['create']},
    {...nodes, kind: 'Node', namespaced: false, verbs},
  ];
  const resources = new MemoryResources(types);
  types.push({...namespaces, kind: 'Namespace', namespaced: false, verbs, strategy: new NamespaceStrategy(resources, orch)});
  return resources;
}

function log(lines: string[] = []): Logger {
  const write = (_fields: object, message: string) => void lines.push(message);
  const logger: Logger = {trace: write, debug: write, info: write, warn: write, error: write, child: () => logger};
  return logger;
}

async function run(
  t: ExecutionContext,
  resources: MemoryResources,
  settleMilliseconds = 0,
  lines?: string[],
): Promise<() => Promise<void>> {
  const versions = {set: () => undefined, delete: () => undefined, all: () => []};
  const gates = {enabled: () => false};
  const settings = {settleMilliseconds, concurrency: 4};
  const controller = new NamespaceController(resources, orch, log(lines), settings, new MetricRegistry(), versions, gates);
  const abort = new AbortController();
  await controller.start(abort.signal);
  const stop = () => {
    abort.abort();
    return controller.stop();
  };
  t.teardown(stop);
  return stop;
}

const object = (name: string, finalizers?: string[]): ApiObject => ({metadata: {name, ...(finalizers ? {finalizers} : {})}});
const gone = (resources: MemoryResources, name: string) => () => !resources.has(namespaces, '', name);

test('[A-NAME-7] [A-NAME-8] deleting a namespace deletes the objects of every namespaced type in it, then the namespace', async (t) => {
  const resources = setUp();
  await run(t, resources);
  await resources.create(namespaces, '', object('team'));
  for (let index = 0; index < 5; index += 1) await resources.create(configMaps, 'team', object(`settings-${index}`));
  await resources.create(widgets, 'team', object('door'));
  await resources.delete(namespaces, '', 'team');
  await until('the condition is met', gone(resources, 'team'));
  t.is((await resources.list(configMaps, 'team')).items.length, 0);
  t.false(resources.has(widgets, 'team', 'door'));
});

test('[A-NAME-9] deleting a namespace leaves cluster-scoped objects and other namespaces alone', async (t) => {
  const resources = setUp();
  await run(t, resources);
  for (const name of ['team', 'team-two']) {
    await resources.create(namespaces, '', object(name));
    await resources.create(configMaps, name, object('settings'));
  }
  await resources.create(nodes, '', object('one'));
  await resources.delete(namespaces, '', 'team');
  await until('the condition is met', gone(resources, 'team'));
  t.true(resources.has(configMaps, 'team-two', 'settings'));
  t.true(resources.has(namespaces, '', 'team-two'));
  t.true(resources.has(nodes, '', 'one'));
});

test('a namespace that was terminating before the controller started is emptied too', async (t) => {
  const resources = setUp();
  await resources.create(namespaces, '', object('team'));
  await resources.create(configMaps, 'team', object('settings'));
  await resources.delete(namespaces, '', 'team');
  await run(t, resources);
  await until('the condition is met', gone(resources, 'team'));
  t.false(resources.has(configMaps, 'team', 'settings'));
});

test('a namespace waits for finalizers of its contents, says so in its conditions, and goes when they are gone', async (t) => {
  const resources = setUp();
  await run(t, resources);
  await resources.create(namespaces, '', object('team'));
  await resources.create(configMaps, 'team', object('held', ['example.com/hold']));
  await resources.create(configMaps, 'team', object('free'));
  await resources.delete(namespaces, '', 'team');

  const condition = async (type: string) =>
    ((await resources.get(namespaces, '', 'team')) as Conditioned).status.conditions?.find((entry) => entry.type === type);
  await until('the condition is met', async () => (await condition('NamespaceFinalizersRemaining'))?.status === 'True');
  const remaining = await condition('NamespaceContentRemaining');
  t.like(remaining, {
    status: 'True',
    reason: 'SomeResourcesRemain',
    message: 'Some resources are remaining: configmaps. has 1 resource instances',
  });
  t.like(await condition('NamespaceFinalizersRemaining'), {
    reason: 'SomeFinalizersRemain',
    message: 'Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
  });
  t.like(await condition('NamespaceDeletionContentFailure'), {status: 'False', reason: 'ContentDeleted'});
  t.regex(remaining!.lastTransitionTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  t.is(((await resources.get(namespaces, '', 'team')) as Conditioned).status.phase, 'Terminating');
  t.false(resources.has(configMaps, 'team', 'free'));

  const held = await resources.get(configMaps, 'team', 'held');
  await resources.update(configMaps, 'team', {...held, metadata: {...held.metadata, finalizers: []}});
  await until('the condition is met', gone(resources, 'team'));
  t.false(resources.has(configMaps, 'team', 'held'));
});

test('a namespace with finalizers of its own loses only the one of the controller', async (t) => {
  const resources = setUp();
  await run(t, resources);
  await resources.create(namespaces, '', {...object('team'), spec: {finalizers: ['example.com/mine']}});
  await resources.delete(namespaces, '', 'team');
  const finalizers = async () => ((await resources.get(namespaces, '', 'team'))['spec'] as {finalizers: string[]}).finalizers;
  await until('the condition is met', async () => (await finalizers()).length === 1);
  t.deepEqual(await finalizers(), ['example.com/mine']);
});

test('a type that cannot be emptied shows in the conditions and does not keep the others from being deleted', async (t) => {
  const resources = setUp();
  const broken = new Set(['configmaps']);
  resources.before = (verb, resource) => {
    if (verb === 'deletecollection' && broken.has(resource)) throw serviceUnavailable('away');
  };
  await run(t, resources);
  await resources.create(namespaces, '', object('team'));
  await resources.create(configMaps, 'team', object('settings'));
  await resources.create(widgets, 'team', object('door'));
  await resources.delete(namespaces, '', 'team');
  const conditions = async () => ((await resources.get(namespaces, '', 'team')) as Conditioned).status.conditions ?? [];
  await until('the condition is met', async () =>
    (await conditions()).some(({type, status}) => type === 'NamespaceDeletionContentFailure' && status === 'True'),
  );
  t.like(
    (await conditions()).find(({type}) => type === 'NamespaceDeletionContentFailure'),
    {
      reason: 'ContentDeletionFailed',
      message: 'Failed to delete all resource types, 1 remaining: configmaps: away',
    },
  );
  t.false(resources.has(widgets, 'team', 'door'));
  broken.clear();
  await until('the condition is met', gone(resources, 'team'));
});

test('conflicts and failures of the last steps only mean another try', async (t) => {
  const resources = setUp();
  let conflicts = 3;
  let failures = 3;
  const lines: string[] = [];
  resources.before = (verb, resource, name) => {
    if (verb !== 'update/finalize') return;
    if (conflicts > 0) {
      conflicts -= 1;
      throw conflict({group: '', resource, name}, 'it has changed');
    }
    if (failures > 0) {
      failures -= 1;
      throw serviceUnavailable('away');
    }
  };
  await run(t, resources, 0, lines);
  await resources.create(namespaces, '', object('team'));
  await resources.delete(namespaces, '', 'team');
  await until('the condition is met', gone(resources, 'team'));
  t.is(lines.filter((line) => line.includes('could not be reconciled')).length, 3);
});

test('a namespace stays for the settling time, and what arrives meanwhile is deleted', async (t) => {
  const resources = setUp();
  await run(t, resources, 150);
  await resources.create(namespaces, '', object('team'));
  const start = performance.now();
  await resources.delete(namespaces, '', 'team');
  let looks = 0;
  resources.before = (verb, resource) => void (looks += Number(verb === 'list' && resource === 'configmaps'));
  await until('the condition is met', () => looks > 0);
  await resources.create(configMaps, 'team', object('late'));
  await until('the condition is met', gone(resources, 'team'));
  t.true(performance.now() - start >= 140);
  t.false(resources.has(configMaps, 'team', 'late'));
});

test('several controllers on the same namespaces do not disturb each other', async (t) => {
  const resources = setUp();
  await Promise.all([1, 2, 3].map(() => run(t, resources)));
  const names = Array.from({length: 20}, (_, index) => `team-${index}`);
  for (const name of names) {
    await resources.create(namespaces, '', object(name));
    await resources.create(configMaps, name, object('settings'));
  }
  await Promise.all(names.map((name) => resources.delete(namespaces, '', name)));
  await until('the condition is met', () => names.every((name) => !resources.has(namespaces, '', name)));
  t.is((await resources.list(configMaps, '')).items.length, 0);
});

test('a watch that ends is taken up again, with a list when its history is gone', async (t) => {
  for (const forget of [false, true]) {
    const resources = setUp();
    const calls: string[] = [];
    resources.before = (verb, resource) => {
      if (resource === 'namespaces' && (verb === 'list' || verb === 'watch')) calls.push(verb);
    };
    await run(t, resources);
    await until('the condition is met', () => calls.length === 2);
    await resources.create(namespaces, '', object('team'));
    resources.endWatches(forget);
    await resources.delete(namespaces, '', 'team');
    await until('the condition is met', gone(resources, 'team'));
    t.deepEqual(calls, forget ? ['list', 'watch', 'list', 'watch'] : ['list', 'watch', 'watch']);
  }
});

test('a server that cannot list yet is tried again', async (t) => {
  const resources = setUp();
  let failures = 2;
  const lines: string[] = [];
  resources.before = (verb, resource) => {
    if (verb === 'list' && resource === 'namespaces' && failures > 0) {
      failures -= 1;
      throw serviceUnavailable('starting');
    }
  };
  await resources.create(namespaces, '', object('team'));
  await resources.delete(namespaces, '', 'team');
  await run(t, resources, 0, lines);
  await until('the condition is met', gone(resources, 'team'));
  t.is(lines.filter((line) => line.includes('cannot be watched')).length, 2);
});

test('after stop nothing more is done', async (t) => {
  const resources = setUp();
  const stop = await run(t, resources);
  await resources.create(namespaces, '', object('team'));
  await stop();
  await resources.delete(namespaces, '', 'team');
  await delay(50);
  t.true(resources.has(namespaces, '', 'team'));
});
