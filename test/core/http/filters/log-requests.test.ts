import test from 'ava';
import type {Logger} from '@orch-api/orch/sdk';
import {startTestServer} from '@orch-api/orch/testing';
import {eventually, until} from '../../../helpers/eventually.js';
import {recordingLogger} from '../../../helpers/recording-logger.js';
import {withFixtures} from '../../../semantics/fixtures.js';

interface Line {
  path?: string;
  user?: string;
  impersonator?: string;
  annotations?: Record<string, string>;
}

test('the log says who made a request, for whom, and what policies have noted about it', async (t) => {
  const lines: Line[] = [];
  const ignore = () => undefined;
  const keep = (fields: object) => void lines.push(fields as Line);
  const logger: Logger = {trace: ignore, debug: keep, info: ignore, warn: keep, error: keep, child: () => logger};
  await using server = await startTestServer({...withFixtures, logger});
  const path = '/api/v1/namespaces/default/configmaps';
  const body = {metadata: {name: 'noted', annotations: {'test/note': 'well'}}};
  t.is((await server.client.post(path, body, {headers: {'impersonate-user': 'jane', 'impersonate-group': 'system:masters'}})).status, 201);
  t.is((await server.client.get(path)).status, 200);
  const [write, read] = await eventually(
    () => lines.filter((line) => line.path === path),
    (found) => found.length === 2,
  );
  t.like(write, {user: 'jane', impersonator: 'orch-admin', annotations: {'test/note': 'CREATE well'}});
  t.is(read!.user, 'orch-admin');
  t.false('impersonator' in read! || 'annotations' in read!);
});

test('a request that takes longer than the threshold is logged with the time of each step, and what took long within them', async (t) => {
  const {logger, lines} = recordingLogger();
  await using server = await startTestServer({logger, logLevel: 'warn', slowRequestThreshold: '1us'});
  const path = '/api/v1/namespaces/default/configmaps';
  t.is((await server.client.post(path, {metadata: {name: 'slow'}})).status, 201);
  const line = await until('the line', () => lines.find(({message, fields}) => message === 'slow request' && fields['method'] === 'POST'));
  const {steps, milliseconds} = line.fields as {steps: Record<string, number>; milliseconds: number};
  const names = [
    'authentication',
    'authorization',
    'body',
    'decode',
    'mutating admission',
    'validation',
    'validating admission',
    'store',
    'answer',
  ];
  t.deepEqual(
    names.filter((name) => !(name in steps)),
    [],
  );
  const all = Object.entries(steps).filter(([name]) => !name.includes(':'));
  const sum = all.reduce((total, [, millis]) => total + millis, 0);
  t.true(Math.abs(sum - milliseconds) <= 0.1 * (all.length + 1), `${sum} and ${milliseconds}`);
  // Watches last long by nature.
  const watching = new AbortController();
  const watch = server.client.watch(`${path}?watch=1&resourceVersion=0`, {signal: watching.signal});
  for await (const event of watch) if (event.object.metadata.name === 'slow') break;
  watching.abort();
  t.is(lines.filter(({message, fields}) => message === 'slow request' && fields['method'] === 'GET').length, 0);
});
