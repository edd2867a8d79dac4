// `@orch-api/orch/testing` under test runners that load code in ways of their own: what a test imports by name is what the kernel uses, whoever loads the plugin.
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

const plugin = `
import {admission, forbidden, inject, injectable, StatusError, Tokens} from '@orch-api/orch/sdk';

export class Doorman {
  constructor(naming) {
    if (naming.group('rbac.authorization.orch') === undefined) throw new Error('no naming profile');
  }
  validate({resource, name}) {
    const error = forbidden({...resource, name}, 'the door is closed');
    if (!(error instanceof StatusError)) throw new Error('another sdk');
    throw error;
  }
}
inject(Tokens.Naming)(Doorman, undefined, 0);
injectable()(Doorman);
admission({operations: ['CREATE'], resources: ['configmaps']})(Doorman);
`;

const manifest = {
  name: 'doorman',
  version: '1.0.0',
  kernel: '*',
  entry: './index.js',
  contributes: {admission: [{class: 'Doorman', name: 'Doorman'}]},
};

/** The same tests for a runner that has `test(title, run)`. */
const tests = (runner) => `
import assert from 'node:assert/strict';
import {test} from '${runner}';
import {contributionOf, defineAdmission, definePlugin, forbidden, StatusError, unauthorized} from '@orch-api/orch/sdk';
import {startTestServer} from '@orch-api/orch/testing';
import {authenticatorConformance} from '@orch-api/orch/testing/conformance';
import {Doorman} from './doorman/index.js';

const maps = '/api/v1/namespaces/default/configmaps';

const suite = authenticatorConformance({
  create: () => ({
    authenticate(request) {
      const [badge, ...more] = request.header('x-badge');
      if (badge === undefined) return undefined;
      if (badge !== 'b-17' || more.length > 0) throw unauthorized();
      return {username: 'ada', groups: ['staff']};
    },
  }),
  known: [{credentials: {headers: {'x-badge': 'b-17'}}, username: 'ada', groups: ['staff']}],
  refused: [{headers: {'x-badge': 'guess'}}],
});
for (const {title, timeoutMillis, run} of suite) test(title, {timeout: timeoutMillis}, () => run(undefined));

test('a class of the test has what the kernel looks for', () => {
  assert.equal(contributionOf(Doorman)?.kind, 'admission');
  assert.throws(() => new Doorman({group: (name: string) => name}).validate({resource: {group: '', resource: 'configmaps'}, name: 'a'}), StatusError);
});

test('a plugin that the kernel loads by its path, and one that the test hands over, refuse as they mean to', {timeout: 60_000}, async () => {
  const secrets = definePlugin({name: 'no-secrets'}, [
    defineAdmission({
      name: 'NoSecrets',
      operations: ['CREATE'],
      resources: ['secrets'],
      create: () => ({
        validate({resource, name}) {
          throw forbidden({...resource, name}, 'tell nobody');
        },
      }),
    }),
  ]);
  const server = await startTestServer({plugins: [new URL('./doorman', import.meta.url).pathname, secrets]});
  try {
    const refused = await server.client.post(maps, {metadata: {name: 'a'}});
    assert.equal(refused.status, 403);
    assert.match(refused.json<{message: string}>().message, /the door is closed/);
    assert.match((await server.client.post(maps.replace('configmaps', 'secrets'), {metadata: {name: 'a'}})).body.toString(), /tell nobody/);
  } finally {
    await server.stop();
  }
});
`;

/** Versions that the guide names. */
const packages = ['vitest@4', 'tsx@4'];

export const runnersTrial = {
  name: 'test runners',
  /** They come from the registry. */
  needsPackages: true,
  async run({folder, run, install}) {
    writeFileSync(join(folder, 'package.json'), '{"name": "runners", "private": true, "type": "module"}\n');
    install(folder, packages);
    mkdirSync(join(folder, 'doorman'));
    writeFileSync(join(folder, 'doorman/index.js'), plugin);
    writeFileSync(join(folder, 'doorman/plugin.json'), JSON.stringify(manifest));
    writeFileSync(join(folder, 'native.test.ts'), tests('node:test'));
    writeFileSync(join(folder, 'vite.test.ts'), tests('vitest'));
    run('node', ['--test', 'native.test.ts']);
    run('npx', ['tsx', '--test', 'native.test.ts']);
    for (const pool of ['forks', 'threads']) run('npx', ['vitest', 'run', '--pool', pool, 'vite.test.ts']);
  },
};
