import test from 'ava';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {pluginProfiles} from '../../../core/options/plugin-profiles.js';
import {definePlugin} from '@orch-api/orch/sdk';
import {startTestServer, type ServerOptions, type TestServer} from '@orch-api/orch/testing';
import {projectRoot} from '../../helpers/project-root.js';

/** The API groups that a server serves, in words of its platform; the core group is `core`. */
async function groupsOf(server: TestServer): Promise<string[]> {
  const {groups} = (await server.client.get('/apis')).json<{groups: {name: string}[]}>();
  const core = await server.client.get('/api/v1');
  return [...(core.status === 200 ? ['core'] : []), ...groups.map(({name}) => name)].sort();
}

/** What `docs/operations/starting.md` says that a profile serves. */
function documentedGroups(profile: string): string[] {
  const text = readFileSync(join(projectRoot(), 'docs/operations/starting.md'), 'utf8');
  const row = new RegExp(`^\\| \`${profile}\` \\|.*\\| ([^|]+) \\|$`, 'm').exec(text);
  return (row?.[1] ?? '')
    .split(', ')
    .map((name) => name.replaceAll('`', '').trim())
    .sort();
}

async function served<T>(options: ServerOptions, ask: (server: TestServer) => Promise<T>): Promise<T> {
  const server = await startTestServer(options);
  try {
    return await ask(server);
  } finally {
    await server.stop();
  }
}

test('each profile serves the groups that the documentation names, and an object can be written', async (t) => {
  for (const {name, plugins} of pluginProfiles) {
    const groups = await served({pluginProfile: name}, async (server) => {
      const made = await server.client.post('/api/v1/namespaces/default/configmaps', {metadata: {name: 'colours'}, data: {sky: 'blue'}});
      t.is(made.status, 201, name);
      return groupsOf(server);
    });
    if (plugins) t.deepEqual(groups, documentedGroups(name), name);
    else t.true(groups.length >= 20, name);
    t.is(groups.includes('rbac.authorization.k8s.io'), name === 'kubernetes', name);
  }
});

test('the configuration chooses a profile and adds to it, and what a plugin requires comes with it', async (t) => {
  const leaning = definePlugin({name: 'leaning', requires: ['networking']}, []);
  const options = {configuration: {plugins: {profile: 'minimal', only: ['batch']}}, plugins: [leaning]};
  const groups = await served(options, groupsOf);
  t.deepEqual(groups, ['batch', 'coordination.orch', 'core', 'networking.orch']);
  // An option takes the place of both.
  t.deepEqual(await served({...options, pluginProfile: 'minimal'}, groupsOf), ['coordination.orch', 'core', 'networking.orch']);
});

test('a requirement that somebody has disabled is named, with what to do', async (t) => {
  const leaning = definePlugin({name: 'leaning', requires: ['networking']}, []);
  const message =
    /plugin leaning: it requires the plugin networking, which is disabled \(disablePlugins\): enable it \(enablePlugins networking\), or disable leaning too/;
  await t.throwsAsync(startTestServer({pluginProfile: 'minimal', plugins: [leaning], disablePlugins: ['networking']}), {message});
  await t.throwsAsync(startTestServer({pluginProfile: 'tiny'}), {
    message: /there is no profile tiny; known are crd-only, default, kubernetes, minimal \(pluginProfile\)/,
  });
});
