import test, {type ExecutionContext} from 'ava';
import {getFreshness, listQuery, watchSelection, type ListRequest} from '../../../../core/registry/read/list-request.js';
import type {StatusError} from '../../../../sdk/index.js';
import {startRegistry} from '../registry-fixture.js';

async function query(t: ExecutionContext, gates: readonly string[] = []) {
  const {resource} = await startRegistry(t, {settings: {isEnabled: (gate) => gates.includes(gate)}});
  const {served} = resource();
  return {
    list: (request: ListRequest) => listQuery(served, '', request),
    watch: (request: ListRequest) => watchSelection(served, '', request),
  };
}

test('limit, version and match say which state a list answers', async (t) => {
  const {list} = await query(t);
  const freshness = (request: ListRequest) => list(request).freshness;
  t.is(freshness({}), 'recent');
  t.is(freshness({resourceVersion: ''}), 'recent');
  t.is(freshness({resourceVersion: '0'}), 'any');
  t.is(freshness({resourceVersion: '0', limit: 5}), 'any');
  t.deepEqual(freshness({resourceVersion: '7'}), {atLeast: 7});
  t.deepEqual(freshness({resourceVersion: '7', limit: 0}), {atLeast: 7});
  t.deepEqual(freshness({resourceVersion: '7', limit: -1}), {atLeast: 7});
  t.deepEqual(freshness({resourceVersion: '7', limit: 5}), {exact: 7});
  t.deepEqual(freshness({resourceVersion: '7', limit: 5, resourceVersionMatch: 'NotOlderThan'}), {atLeast: 7});
  t.deepEqual(freshness({resourceVersion: '7', resourceVersionMatch: 'Exact'}), {exact: 7});
  t.is(freshness({continue: 'token', limit: 5}), 'any');
  t.is(list({limit: -1}).limit, undefined);
});

test('a watch begins where its version says', async (t) => {
  const {watch} = await query(t, ['WatchList']);
  const start = (request: ListRequest) => watch(request).start;
  t.deepEqual(start({}), {kind: 'initial', freshness: 'recent'});
  t.deepEqual(start({resourceVersion: '0'}), {kind: 'initial', freshness: 'any'});
  t.deepEqual(start({resourceVersion: '7'}), {kind: 'after', revision: 7});
  const match = {resourceVersionMatch: 'NotOlderThan'};
  t.deepEqual(start({...match, sendInitialEvents: true, resourceVersion: '7'}), {kind: 'initial', freshness: {atLeast: 7}});
  t.deepEqual(start({...match, sendInitialEvents: false}), {kind: 'now', freshness: 'recent'});
  t.deepEqual(start({...match, sendInitialEvents: false, resourceVersion: '7'}), {kind: 'after', revision: 7});
});

test('a request that cannot be is refused, with 400 for what cannot be read and 422 for combinations', async (t) => {
  const {list, watch} = await query(t);
  const code = (work: () => unknown) => t.throws<StatusError>(work)?.code;
  for (const resourceVersion of ['x', '-1', '1.5', '9'.repeat(17)]) {
    t.is(
      code(() => list({resourceVersion})),
      400,
    );
    t.is(
      code(() => watch({resourceVersion})),
      400,
    );
    t.is(
      code(() => getFreshness(resourceVersion)),
      400,
    );
  }
  t.is(
    code(() => list({continue: 'token', resourceVersion: '7'})),
    400,
  );
  t.is(
    code(() => list({fieldSelector: 'spec.size=1'})),
    400,
  );
  for (const request of [
    {resourceVersionMatch: 'Exact'},
    {resourceVersionMatch: 'Exact', resourceVersion: '0'},
    {resourceVersionMatch: 'Newest', resourceVersion: '7'},
    {resourceVersionMatch: 'Exact', resourceVersion: '7', continue: 'token'},
    {sendInitialEvents: true},
  ] as const)
    t.is(
      code(() => list(request)),
      422,
      JSON.stringify(request),
    );
  t.is(
    code(() => watch({sendInitialEvents: true})),
    422,
  );
  t.is(
    code(() => watch({resourceVersionMatch: 'Exact', resourceVersion: '7'})),
    422,
  );
});

test('without the feature gate WatchList nobody may ask for initial events, and none are marked', async (t) => {
  const [off, on] = [await query(t), await query(t, ['WatchList'])];
  const initial = {sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan'};
  t.is(
    t.throws<StatusError>(() => off.watch(initial))?.message,
    'ListOptions.meta.orch "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
  );
  t.true(on.watch(initial).marksEnd);
  for (const resourceVersion of ['', '0']) {
    t.false(off.watch({resourceVersion}).marksEnd);
    t.true(on.watch({resourceVersion}).marksEnd);
  }
  for (const {watch} of [off, on]) t.false(watch({resourceVersion: '7'}).marksEnd);
});

test('what is wrong with options is said in the words of Kubernetes, all of it', async (t) => {
  const {list, watch} = await query(t, ['WatchList']);
  const said = (work: () => unknown) => t.throws<StatusError>(work)?.message.replace('ListOptions.meta.orch "" is invalid: ', '');
  t.is(
    said(() => list({resourceVersion: 'x1'})),
    'invalid resource version: resourceVersion: Invalid value: "x1": strconv.ParseUint: parsing "x1": invalid syntax',
  );
  t.is(
    said(() => watch({resourceVersion: '9'.repeat(20)})),
    `resourceVersion: Invalid value: "${'9'.repeat(20)}": strconv.ParseUint: parsing "${'9'.repeat(20)}": value out of range`,
  );
  t.is(
    said(() => list({resourceVersionMatch: 'exact', continue: 'token'})),
    '[resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided, resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided, resourceVersionMatch: Unsupported value: "exact": supported values: "Exact", "NotOlderThan", ""]',
  );
  t.is(
    said(() => watch({sendInitialEvents: false, resourceVersionMatch: 'Exact'})),
    '[resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"]',
  );
});
