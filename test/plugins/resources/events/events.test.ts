import fc from 'fast-check';
import test from 'ava';
import {convertEvent} from '../../../../plugins/resources/events/event-conversion.js';
import {EventStrategy} from '../../../../plugins/resources/events/plugin.js';
import type {Event} from '../../../../plugins/resources/events/event-types.js';
import {orch} from '../../../../core/api/naming/orch.js';
import {fieldErrorText, type ApiObject} from '../../../../sdk/index.js';
import {context} from '../../memory-resources.js';
import {faultyFields, servedGroup, tableRows} from '../served-group.js';

const client = servedGroup(test);
const url = '/apis/events.orch/v1/namespaces/default/events';
const coreUrl = '/api/v1/namespaces/default/events';
const event = (members: object = {}) => ({
  eventTime: '2030-01-01T00:00:00.000001Z',
  reportingController: 'example.com/loader',
  reportingInstance: 'loader-1',
  action: 'Load',
  reason: 'Loaded',
  note: 'all there',
  type: 'Normal',
  regarding: {kind: 'ConfigMap', namespace: 'default', name: 'settings'},
  ...members,
});
const post = (name: string, members: object = {}) => client().post(url, {metadata: {name}, ...event(members)});

test('[B-REM-10] events are served in events.orch/v1 and not in v1beta1', async (t) => {
  t.is((await client().get(url)).status, 200);
  t.is((await client().get(url.replace('v1', 'v1beta1'))).status, 404);
});

test('[B-REM-13] [B-REM-14] an event has other names in the core group and is the same', async (t) => {
  const made = await post('shared', {
    series: {count: 2, lastObservedTime: '2030-01-01T00:00:01.000000Z'},
    related: {kind: 'Pod', name: 'p'},
  });
  t.is(made.status, 201);
  t.like(made.json<object>(), {apiVersion: 'events.orch/v1', ...event(), series: {count: 2}});
  const {apiVersion, involvedObject, message, reportingComponent, series, ...rest} = (await client().get(`${coreUrl}/shared`)).json<
    Record<string, unknown>
  >();
  t.is(apiVersion, 'v1');
  t.deepEqual(involvedObject, event().regarding);
  t.is(message, 'all there');
  t.is(reportingComponent, 'example.com/loader');
  t.like(series, {count: 2, lastObservedTime: '2030-01-01T00:00:01.000000Z'});
  for (const member of ['regarding', 'note', 'reportingController']) t.false(member in rest, member);
});

test('an event of the core group is seen through events.orch, and deleted through it', async (t) => {
  const old = {
    involvedObject: {kind: 'Pod', namespace: 'default', name: 'p'},
    message: 'm',
    source: {component: 'c', host: 'h'},
    firstTimestamp: '2030-01-01T00:00:00Z',
    count: 3,
  };
  t.is((await client().post(coreUrl, {metadata: {name: 'older'}, ...old})).status, 201);
  t.like((await client().get(`${url}/older`)).json<object>(), {
    apiVersion: 'events.orch/v1',
    regarding: old.involvedObject,
    note: 'm',
    deprecatedSource: old.source,
    deprecatedFirstTimestamp: old.firstTimestamp,
    deprecatedCount: 3,
  });
  t.like((await tableRows(client(), `${url}/older`))[0], {Object: 'pod/p', Source: 'c, h', Message: 'm', Count: 3, Name: 'older'});
  t.is((await client().delete(`${url}/older`)).status, 200);
  t.is((await client().get(`${coreUrl}/older`)).status, 404);
});

test('a watch of one group sees what is written through the other', async (t) => {
  const {metadata} = (await client().get(url)).json<{metadata: {resourceVersion: string}}>();
  const controller = new AbortController();
  const events = client().watch(`${url}?watch=true&fieldSelector=metadata.name%3Dwatched&resourceVersion=${metadata.resourceVersion}`, {
    signal: controller.signal,
  });
  await client().post(coreUrl, {metadata: {name: 'watched'}, involvedObject: {namespace: 'default'}, message: 'here'});
  for await (const {type, object} of events) {
    t.is(type, 'ADDED');
    t.like(object, {apiVersion: 'events.orch/v1', note: 'here'});
    break;
  }
  controller.abort();
});

test('[B-REM-11] the type is Normal or Warning', async (t) => {
  for (const type of ['Normal', 'Warning']) t.is((await post(type.toLowerCase(), {type})).status, 201);
  for (const type of ['', 'Error']) t.deepEqual(faultyFields(await post('bad', {type})), ['type']);
});

test('[B-REM-12] who reports what, and when, must be said', async (t) => {
  t.deepEqual(faultyFields(await client().post(url, {metadata: {name: 'bare'}})), [
    'reportingController',
    'reportingInstance',
    'action',
    'reason',
    'eventTime',
    'type',
  ]);
  const long = 'x'.repeat(129);
  const bad = {reportingController: 'a b', reportingInstance: long, action: long, reason: long, note: 'x'.repeat(1025), series: {count: 1}};
  t.deepEqual(faultyFields(await post('bad', bad)), [
    'reportingController',
    'reportingInstance',
    'action',
    'reason',
    'note',
    'series.count',
    'series.lastObservedTime',
  ]);
});

test('what the newer form replaces is refused in new events', async (t) => {
  const old = {
    deprecatedFirstTimestamp: '2030-01-01T00:00:00Z',
    deprecatedLastTimestamp: '2030-01-01T00:00:00Z',
    deprecatedCount: 1,
    deprecatedSource: {host: 'h'},
  };
  t.deepEqual(faultyFields(await post('old', old)), Object.keys(old));
});

test('only the series of an event goes on', async (t) => {
  const made = (await post('kept')).json<object>();
  const changed = {
    ...made,
    regarding: {kind: 'Pod'},
    reason: 'Other',
    note: 'n',
    type: 'Warning',
    eventTime: '2031-01-01T00:00:00.000000Z',
    deprecatedCount: 2,
  };
  t.deepEqual(faultyFields(await client().put(`${url}/kept`, changed)), [
    'regarding',
    'reason',
    'note',
    'deprecatedCount',
    'type',
    'eventTime',
  ]);
  const series = {count: 2, lastObservedTime: '2030-01-01T00:00:01.000000Z'};
  t.is((await client().put(`${url}/kept`, {...made, series})).status, 200);
  t.deepEqual(faultyFields(await client().patch(`${url}/kept`, {series: {count: 1}})), ['series.count']);
});

test('an event lives with what it is about', (t) => {
  const strategy = new EventStrategy(orch);
  const faults = (namespace: string, members: Partial<Event>, old?: Partial<Event>) =>
    (old
      ? strategy.validateUpdate({metadata: {}, ...members}, {metadata: {}, ...old}, context(namespace, ''))
      : strategy.validateCreate({metadata: {}, ...members}, context(namespace, ''))
    ).map(fieldErrorText);
  const mismatch = 'regarding.namespace: Invalid value: "": does not match event.namespace';
  const clusterScoped = event({regarding: {kind: 'Node', name: 'n'}});
  for (const namespace of ['default', 'orch-system']) t.deepEqual(faults(namespace, clusterScoped), []);
  t.deepEqual(faults('team', clusterScoped), [mismatch]);
  const older: Partial<Event> = {eventTime: null, regarding: {namespace: 'team'}};
  t.deepEqual(faults('team', older, older), []);
  t.deepEqual(faults('other', older, older), ['regarding.namespace: Invalid value: "team": does not match event.namespace']);
});

test('unknown selectors are refused, each group has its own', async (t) => {
  t.is((await client().get(`${url}?fieldSelector=involvedObject.name%3Dx`)).status, 400);
  t.is((await client().get(`${coreUrl}?fieldSelector=regarding.name%3Dx`)).status, 400);
  t.is((await client().get(`${url}?fieldSelector=regarding.name%3Dx,reportingController%3Dy`)).status, 200);
});

test('[B-DEPR-2] an event that goes to the other group and back is the same', (t) => {
  const seed = 20_300_101;
  t.log(`seed ${seed}`);
  const text = fc.string({minLength: 1});
  const reference = fc.record({kind: text, name: text, namespace: text}, {requiredKeys: []});
  const members = {
    regarding: reference,
    related: reference,
    note: text,
    reason: text,
    action: text,
    type: text,
    reportingController: text,
    reportingInstance: text,
    eventTime: fc.constantFrom(null, '2030-01-01T00:00:00.000001Z'),
    series: fc.record({count: fc.nat(), lastObservedTime: fc.constant('2030-01-01T00:00:00.000000Z')}),
    deprecatedSource: fc.record({component: text, host: text}, {requiredKeys: []}),
    deprecatedFirstTimestamp: fc.constantFrom(null, '2030-01-01T00:00:00Z'),
    deprecatedLastTimestamp: fc.constantFrom(null, '2030-01-01T00:00:00Z'),
    deprecatedCount: fc.nat(),
  };
  fc.assert(
    fc.property(fc.record(members, {requiredKeys: []}), (given) => {
      const own: ApiObject = {apiVersion: 'events.orch/v1', kind: 'Event', metadata: {name: 'e'}, ...given};
      const before = structuredClone(own);
      const core = convertEvent(own, {group: '', version: 'v1'});
      t.is(core.apiVersion, 'v1');
      t.deepEqual(convertEvent(core, {group: 'events.orch', version: 'v1'}), before);
      t.deepEqual(own, before);
    }),
    {seed},
  );
});

test('events have no dependents: what a deletion says of them has no effect', async (t) => {
  for (const propagationPolicy of ['Orphan', 'Foreground']) {
    await post('gone');
    const answer = await client().delete(`${url}/gone?propagationPolicy=${propagationPolicy}`);
    t.is(answer.json<{kind: string}>().kind, 'Status');
    t.is((await client().get(`${url}/gone`)).status, 404);
  }
});
