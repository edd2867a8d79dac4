import assert from 'node:assert/strict';
import {test} from 'node:test';
import {startTestServer} from '@orch-api/orch/testing';

test('a reservation gets its end and a phase', async () => {
  await using server = await startTestServer({plugins: [import.meta.dirname]});
  const rooms = '/apis/booking.example.com/v1/namespaces/default/reservations';
  const made = await server.client.post(rooms, {metadata: {name: 'planning'}, spec: {room: 'blue', from: '2026-01-05T09:00:00Z'}});
  assert.equal(made.status, 201, made.body.toString());
  const {spec, status} = made.json<{spec: {until: string}; status: {phase: string}}>();
  assert.deepEqual([spec.until, status.phase], ['2026-01-05T10:00:00Z', 'Requested']);
});
