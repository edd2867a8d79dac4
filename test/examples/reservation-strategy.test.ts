import test from 'ava';
import {ReservationStrategy, type Reservation} from '../../examples/resource-with-strategy/plugin.js';
import {fieldErrorText, type StrategyContext} from '../../sdk/index.js';

const strategy = new ReservationStrategy();

function make(spec: Partial<Reservation['spec']> = {}, status?: Reservation['status']): Reservation {
  return {
    metadata: {name: 'planning'},
    spec: {room: 'blue', from: '2030-05-01T09:00:00Z', until: '2030-05-01T10:00:00Z', ...spec},
    ...(status ? {status} : {}),
  };
}

function context(subresource: string): StrategyContext {
  return {
    user: {username: 'ada', groups: []},
    namespace: 'default',
    subresource,
    verb: 'update',
    version: 'v1',
    dryRun: false,
    now: new Date(),
    warn: () => undefined,
  };
}

test('a reservation lasts an hour unless it says otherwise', (t) => {
  const object = make({until: undefined});
  strategy.applyDefaults(object);
  t.is(object.spec.until, '2030-05-01T10:00:00Z');
  const given = make({until: '2030-05-01T09:30:00Z'});
  strategy.applyDefaults(given);
  t.is(given.spec.until, '2030-05-01T09:30:00Z');
});

test('a time that cannot be read gets no default; the schema refuses it', (t) => {
  const object = make({from: 'soon', until: undefined});
  strategy.applyDefaults(object);
  t.is(object.spec.until, undefined);
});

test('the end lies after the beginning, at most eight hours', (t) => {
  const faults = (until: string) => strategy.validateCreate(make({until})).map(fieldErrorText);
  t.deepEqual(faults('2030-05-01T17:00:00Z'), []);
  t.deepEqual(faults('2030-05-01T09:00:00Z'), ['spec.until: Invalid value: "2030-05-01T09:00:00Z": must be later than spec.from']);
  t.deepEqual(faults('2030-05-01T17:01:00Z'), [
    'spec.until: Invalid value: "2030-05-01T17:01:00Z": must be at most 8 hours after spec.from',
  ]);
});

test('the room never changes, and all faults are shown at once', (t) => {
  const faults = strategy.validateUpdate(make({room: 'red', until: '2030-05-01T08:00:00Z'}), make(), context(''));
  t.deepEqual(
    faults.map(({field}) => field),
    ['spec.until', 'spec.room'],
  );
});

test('a new reservation is Requested, and so is one that is moved', (t) => {
  const object = make({}, {phase: 'Confirmed'});
  strategy.prepareForCreate(object);
  t.deepEqual(object.status, {phase: 'Requested'});
  const moved = make({until: '2030-05-01T11:00:00Z'}, {phase: 'Confirmed'});
  strategy.prepareForUpdate(moved, make({}, {phase: 'Confirmed'}), context(''));
  t.deepEqual(moved.status, {phase: 'Requested'});
  const same = make({seats: 4}, {phase: 'Confirmed'});
  strategy.prepareForUpdate(same, make({}, {phase: 'Confirmed'}), context(''));
  t.deepEqual(same.status, {phase: 'Confirmed'});
});

test('a rejected reservation cannot be confirmed', (t) => {
  const rejected = make({}, {phase: 'Rejected'});
  t.deepEqual(
    strategy.validateUpdate(make({}, {phase: 'Confirmed'}), rejected, context('status')).map(({field}) => field),
    ['status.phase'],
  );
  t.deepEqual(strategy.validateUpdate(make({}, {phase: 'Confirmed'}), make({}, {phase: 'Requested'}), context('status')), []);
});

test('the table shows how long it lasts', (t) => {
  t.deepEqual(strategy.tableCells(make()), {Minutes: 60});
  t.deepEqual(strategy.tableCells(make({until: undefined})), {Minutes: null});
});
