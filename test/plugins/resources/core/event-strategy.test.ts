import test from 'ava';
import {orch} from '../../../../core/api/naming/orch.js';
import {EventStrategy} from '../../../../plugins/resources/core/event-strategy.js';
import {fieldErrorText} from '../../../../sdk/index.js';
import type {Event} from '../../../../sdk/types/unchecked/core/v1.js';
import {context} from '../../memory-resources.js';

const strategy = new EventStrategy(orch);
const make = (members: Partial<Event>): Event => ({metadata: {name: 'e'}, involvedObject: {}, ...members});
const faults = (namespace: string, members: Partial<Event>) =>
  strategy.validateCreate(make(members), context(namespace, '')).map(fieldErrorText);
const newer = {
  eventTime: '2030-01-01T00:00:00.000000Z',
  reportingComponent: 'example.com/watcher',
  reportingInstance: 'watcher-1',
  action: 'Look',
  reason: 'Seen',
};

test('an event lives in the namespace of its object; one about a cluster-scoped object in default', (t) => {
  t.deepEqual(faults('team', {involvedObject: {namespace: 'team'}}), []);
  t.deepEqual(faults('default', {}), []);
  t.deepEqual(faults('team', {involvedObject: {namespace: 'other'}}), [
    'involvedObject.namespace: Invalid value: "other": does not match event.namespace',
  ]);
  t.deepEqual(faults('team', {}), ['involvedObject.namespace: Invalid value: "": does not match event.namespace']);
});

test('an event with eventTime says who reports what', (t) => {
  t.deepEqual(faults('team', {...newer, involvedObject: {namespace: 'team'}}), []);
  t.deepEqual(faults('orch-system', newer), []);
  t.deepEqual(
    faults('default', {eventTime: newer.eventTime}).map((text) => text.split(': ').slice(0, 2).join(': ')),
    [
      'reportingComponent: Required value',
      'reportingComponent: Invalid value',
      'reportingComponent: Invalid value',
      'reportingInstance: Required value',
      'action: Required value',
      'reason: Required value',
    ],
  );
});

test('texts of an event with eventTime are limited', (t) => {
  const long = (length: number) => 'x'.repeat(length);
  t.deepEqual(faults('default', {...newer, reportingInstance: long(128), action: long(128), reason: long(128), message: long(1024)}), []);
  t.deepEqual(faults('default', {...newer, reportingInstance: long(129), action: long(129), reason: long(129), message: long(1025)}), [
    'reportingInstance: Invalid value: "": can have at most 128 characters',
    'action: Invalid value: "": can have at most 128 characters',
    'reason: Invalid value: "": can have at most 128 characters',
    'message: Invalid value: "": can have at most 1024 characters',
  ]);
});

test('an update is checked like a new event', (t) => {
  t.is(strategy.validateUpdate(make({}), make({}), context('team', '')).length, 1);
});

test('the field source is the component, or who reports it', (t) => {
  const source = (event: Parameters<typeof make>[0]) => strategy.selectableFields(make(event))['source'];
  t.is(source({source: {component: 'a'}, reportingComponent: 'b'}), 'a');
  t.is(source({source: {}, reportingComponent: 'b'}), 'b');
  t.is(source({}), '');
});

test('the table shows an event with timestamps and a count', (t) => {
  const object = make({
    involvedObject: {kind: 'ConfigMap', name: 'settings'},
    source: {component: 'loader', host: 'one'},
    firstTimestamp: '2030-01-01T00:00:00Z',
    lastTimestamp: '2030-01-01T01:00:00Z',
    count: 7,
    message: '  loaded\n',
  });
  t.deepEqual(strategy.tableCells(object, new Date('2030-01-01T01:00:30Z')), {
    'Last Seen': '30s',
    Object: 'configmap/settings',
    Source: 'loader, one',
    Message: 'loaded',
    'First Seen': '60m',
    Count: 7,
  });
});

test('the table shows an event with eventTime and a series', (t) => {
  const now = new Date('2030-01-01T00:10:00Z');
  const single = make({...newer, firstTimestamp: null, lastTimestamp: null, involvedObject: {kind: 'Node'}});
  t.deepEqual(strategy.tableCells(single, now), {
    'Last Seen': '10m',
    Object: 'node',
    Source: 'example.com/watcher, watcher-1',
    Message: '',
    'First Seen': '10m',
    Count: 1,
  });
  const series = make({...newer, series: {count: 3, lastObservedTime: '2030-01-01T00:09:59.000000Z'}});
  t.like(strategy.tableCells(series, now), {'Last Seen': '1s', Count: 3});
});
