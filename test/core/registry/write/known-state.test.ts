import test, {type ExecutionContext} from 'ava';
import {StoreError} from '../../../../sdk/index.js';
import {InterceptedStore, memoryStore} from '../../storage/support.js';
import {until} from '../../../helpers/eventually.js';
import {body, bodySource, context, namespace, startRegistry, widget} from '../registry-fixture.js';

const key = {namespace, name: 'one'};
const merge = 'application/merge-patch+json';
const json = 'application/json-patch+json';

/** Two servers on one store, the first of which can be kept from seeing what is written; both know the widget `one`. */
async function twoServers(t: ExecutionContext) {
  const shared = await memoryStore(t);
  const store = new InterceptedStore(shared);
  const [behind, other] = [await startRegistry(t, {store}), await startRegistry(t, {store: shared})];
  await other.make('one', {spec: {size: 'large'}});
  await behind.read('one');
  const calls = (method: string) => store.calls.get(method) ?? 0;
  const patchThere = (spec: object) => other.resource().patch(key, merge, body({spec}), context());
  /** Writes while the log is held back, which goes on once the store has been asked for its latest state. */
  const late = async <T>(write: () => Promise<T>): Promise<T> => {
    const before = calls('revision');
    const writing = write();
    await until('the store is asked for its latest state', () => calls('revision') > before);
    store.release();
    return writing;
  };
  return {store, calls, late, patchThere, resource: behind.resource()};
}

test('a write asks the store for nothing before it commits, also where the log has yet to bring the last one', async (t) => {
  const {store, calls, resource} = await twoServers(t);
  const before = [calls('revision'), calls('commit')];
  store.holding = true;
  for (const replicas of [1, 2, 3]) await resource.patch(key, merge, body({spec: {replicas}}), context());
  t.deepEqual([calls('revision'), calls('commit')], [before[0], before[1]! + 3]);
});

test('a write that another server was ahead of is made on the latest state', async (t) => {
  const {store, late, patchThere, resource} = await twoServers(t);
  store.holding = true;
  await patchThere({size: 'huge'});
  const {result} = await late(() => resource.patch(key, merge, body({spec: {replicas: 2}}), context()));
  t.deepEqual(result.object()['spec'], {size: 'huge', replicas: 2});
});

test('a write that would change nothing, or that is refused, is judged by the latest state', async (t) => {
  const {store, late, patchThere, resource} = await twoServers(t);
  store.holding = true;
  await patchThere({size: 'huge'});
  const {result} = await late(() => resource.update(key, bodySource(widget('one', {spec: {size: 'large'}})), context()));
  t.deepEqual(result.object()['spec'], {size: 'large'});
  store.holding = true;
  await patchThere({size: 'tiny'});
  const tests = [
    {op: 'test', path: '/spec/size', value: 'tiny'},
    {op: 'add', path: '/spec/replicas', value: 1},
  ];
  const patched = await late(() => resource.patch(key, json, body(tests), context()));
  t.deepEqual(patched.result.object()['spec'], {size: 'tiny', replicas: 1});
  await t.throwsAsync(resource.patch(key, json, body(tests.map((one) => ({...one, value: 'x'}))), context()), {
    message: /rejected our request/,
  });
});

test('a write that may have taken effect is not made again', async (t) => {
  const {store, calls, resource} = await twoServers(t);
  const before = [calls('revision'), calls('commit')];
  store.failure = new StoreError('Unavailable', 'whether the change took effect is unknown', {indeterminate: true});
  await t.throwsAsync(resource.patch(key, merge, body({spec: {replicas: 2}}), context()), {message: /unknown/});
  t.deepEqual([calls('revision'), calls('commit')], [before[0], before[1]! + 1]);
});
