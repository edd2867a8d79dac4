import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../../helpers/eventually.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {userClient} from '../../../helpers/user-client.js';
import {Roles, user} from './roles.js';

/** A nonResourceURL of a rule, the paths that it covers, and paths that it does not cover. */
const table: readonly (readonly [url: string, covered: readonly string[], other: readonly string[]])[] = [
  ['/logs', ['/logs'], ['/logs/', '/logs/x', '/logsx']],
  ['/logs/*', ['/logs/', '/logs/x', '/logs/x/y', '/logs/*', '/logs/**'], ['/logs', '/logsx']],
  ['/logs/**', ['/logs/', '/logs/x', '/logs/x/y', '/logs/*', '/logs/**', '/logs/***'], ['/logs', '/logsx']],
  ['/logs***', ['/logs', '/logsx', '/logs/x'], ['/log']],
  ['/lo*s/*', ['/lo*s/x', '/lo*s/*'], ['/logs/x', '/los/x']],
  ['*', ['/', '/logs', '/logs/**'], []],
  ['**', ['/', '/logs', '/logs/**'], []],
];

let server: TestServer;
test.before(async () => {
  server = await startTestServer();
});
test.after.always(() => server?.stop());

async function mayGet(username: string, path: string, on = server): Promise<boolean> {
  const spec = {user: username, nonResourceAttributes: {verb: 'get', path}};
  const review = await on.client.post('/apis/authorization.orch/v1/subjectaccessreviews', {spec});
  return review.json<{status: {allowed: boolean}}>().status.allowed;
}

test('the paths that a rule with stars allows are those that its holder may grant: all stars at the end are one', async (t) => {
  const roles = new Roles(t, server);
  for (const [index, [url, covered, other]] of table.entries()) {
    const name = `paths-${index}`;
    await roles.clusterRole(name, [
      {verbs: ['get'], nonResourceURLs: [url]},
      {verbs: ['create'], apiGroups: ['rbac.authorization.orch'], resources: ['clusterroles']},
    ]);
    await roles.bindCluster(name, user(name));
    const client = await userClient(t, server, name);
    await eventually(
      () => mayGet(name, covered[0]!),
      (allowed) => allowed,
    );
    for (const [paths, expected] of [
      [covered, true],
      [other, false],
    ] as const) {
      for (const path of paths) {
        t.is(await mayGet(name, path), expected, `${url} for a GET of ${path}`);
        const metadata = {generateName: `granted-${name}-`};
        const granted = await client.post('/apis/rbac.authorization.orch/v1/clusterroles', {
          metadata,
          rules: [{verbs: ['get'], nonResourceURLs: [path]}],
        });
        t.is(granted.status, expected ? 201 : 403, `${url} to grant ${path}`);
      }
    }
  }
});

test('a policy file covers the same paths', async (t) => {
  const file = join(tempFolder(t), 'policies.jsonl');
  const policies = table.map(([nonResourcePath], index) => ({
    apiVersion: 'abac.authorization.orch/v1beta1',
    kind: 'Policy',
    spec: {user: `paths-${index}`, nonResourcePath},
  }));
  writeFileSync(file, policies.map((policy) => JSON.stringify(policy)).join('\n'));
  const abac = await startTestServer({authorizationMode: ['ABAC'], flags: {'authorization-policy-file': file}});
  t.teardown(() => abac.stop());
  for (const [index, [url, covered, other]] of table.entries()) {
    for (const path of covered) t.true(await mayGet(`paths-${index}`, path, abac), `${url} for a GET of ${path}`);
    for (const path of other) t.false(await mayGet(`paths-${index}`, path, abac), `${url} for a GET of ${path}`);
  }
});
