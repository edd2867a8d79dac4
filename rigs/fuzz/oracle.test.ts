import {gzipSync} from 'node:zlib';
import test from 'ava';
import {faultOfOutcome} from './oracle.js';
import type {FuzzRequest} from './fuzz-request.js';
import type {Outcome} from './run/wire.js';

const request: FuzzRequest = {manner: 'whole', method: 'POST', path: '/api/v1/namespaces', headers: [], body: undefined};

function compressed(status: number, body: string | Buffer): Outcome {
  const head = `HTTP/1.1 ${status} Text\r\ncontent-type: application/json\r\ncontent-encoding: gzip`;
  const response = {status, head, body: typeof body === 'string' ? gzipSync(body) : body};
  return {response, endless: false, millis: 1};
}

const failure = {kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Invalid', message: 'no', code: 422};

test('a compressed answer is read like any other', (t) => {
  t.is(faultOfOutcome(request, compressed(422, JSON.stringify(failure))), undefined);
  t.regex(faultOfOutcome(request, compressed(422, JSON.stringify({...failure, code: 400})))!, /not a Status of 422/);
  t.is(faultOfOutcome(request, compressed(201, '{"kind":"Namespace"}')), undefined);
  t.regex(faultOfOutcome(request, compressed(201, '{"kind":'))!, /cannot be read/);
});

test('a body that is not what its encoding says is a fault', (t) => {
  t.regex(faultOfOutcome(request, compressed(200, Buffer.from('{}')))!, /cannot be unpacked/);
});
