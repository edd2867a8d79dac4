import test from 'ava';
import type {Reservation} from '../../examples/resource-with-strategy/plugin.js';
import type {Status} from '../../sdk/index.js';
import {exampleObjects, startWithExample} from './example-server.js';

const path = '/apis/booking.example.com/v1/namespaces/default/reservations';
const [planning] = exampleObjects('resource-with-strategy', 'reservation.yaml');

test('the reservation of the README gets its end and its first status', async (t) => {
  const {client} = await startWithExample(t, 'resource-with-strategy');
  const answer = await client.post(path, {...planning, status: {phase: 'Confirmed'}});
  t.is(answer.status, 201);
  const made = answer.json<Reservation>();
  t.deepEqual(made.spec, {room: 'blue', from: '2030-05-01T09:00:00Z', until: '2030-05-01T10:00:00Z', seats: 6});
  t.deepEqual(made.status, {phase: 'Requested'});
  t.is(made.metadata.generation, 1);
});

test('rules over several fields are checked, and all faults are shown', async (t) => {
  const {client} = await startWithExample(t, 'resource-with-strategy');
  await client.post(path, planning);
  const answer = await client.patch(`${path}/planning`, {spec: {until: '2030-05-01T08:00:00Z', room: 'red'}});
  t.is(answer.status, 422);
  t.deepEqual(
    answer.json<Status>().details?.causes?.map(({field, message}) => [field, message]),
    [
      ['spec.until', 'Invalid value: "2030-05-01T08:00:00Z": must be later than spec.from'],
      ['spec.room', 'Invalid value: "red": field is immutable'],
    ],
  );
});

test('the status subresource changes the status only, the object itself everything else', async (t) => {
  const {client} = await startWithExample(t, 'resource-with-strategy');
  await client.post(path, planning);
  const confirmed = (
    await client.patch(`${path}/planning/status`, {spec: {seats: 99}, status: {phase: 'Confirmed', message: 'enjoy'}})
  ).json<Reservation>();
  t.deepEqual(confirmed.status, {phase: 'Confirmed', message: 'enjoy'});
  t.is(confirmed.spec.seats, 6);
  t.is(confirmed.metadata.generation, 1);

  const moreSeats = (await client.patch(`${path}/planning`, {spec: {seats: 8}, status: {phase: 'Rejected'}})).json<Reservation>();
  t.is(moreSeats.status?.phase, 'Confirmed');
  t.is(moreSeats.metadata.generation, 2);

  const moved = (await client.patch(`${path}/planning`, {spec: {until: '2030-05-01T11:00:00Z'}})).json<Reservation>();
  t.deepEqual(moved.status, {phase: 'Requested'});
  t.is(moved.metadata.generation, 3);
});

test('a phase that the schema does not know, and one that the strategy forbids, are refused', async (t) => {
  const {client} = await startWithExample(t, 'resource-with-strategy');
  await client.post(path, planning);
  t.is((await client.patch(`${path}/planning/status`, {status: {phase: 'Perhaps'}})).status, 422);
  t.is((await client.patch(`${path}/planning/status`, {status: {phase: 'Rejected'}})).status, 200);
  const answer = await client.patch(`${path}/planning/status`, {status: {phase: 'Confirmed'}});
  t.is(answer.status, 422);
  t.deepEqual(
    answer.json<Status>().details?.causes?.map(({reason}) => reason),
    ['FieldValueForbidden'],
  );
});

test('the table has a column that the strategy computes', async (t) => {
  const {client} = await startWithExample(t, 'resource-with-strategy', {platform: 'kubernetes'});
  await client.post(path, planning);
  const table = (await client.get(path, {headers: {accept: 'application/json;as=Table;v=v1;g=meta.k8s.io'}})).json<{
    rows: {cells: unknown[]}[];
  }>();
  t.deepEqual(table.rows[0]?.cells, ['planning', 'blue', '2030-05-01T09:00:00Z', 60, 'Requested']);
});
