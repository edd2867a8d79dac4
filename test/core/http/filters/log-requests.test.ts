import test from 'ava';
import type {Logger} from '../../../../sdk/index.js';
import {startTestServer} from '../../../../sdk/testing/index.js';
import {eventually} from '../../../helpers/eventually.js';
import {withFixtures} from '../../../semantics/fixtures.js';

interface Line {
  path?: string;
  user?: string;
  impersonator?: string;
  annotations?: Record<string, string>;
}

test('[SEC-22] the log says who made a request, for whom, and what policies have noted about it', async (t) => {
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
