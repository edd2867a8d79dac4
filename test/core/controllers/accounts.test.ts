import test from 'ava';
import {join} from 'node:path';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {until} from '../../helpers/eventually.js';
import {recordingLogger} from '../../helpers/recording-logger.js';
import {fileTree} from '../../helpers/run-script.js';
import type {Teardown} from '../../helpers/temp-folder.js';

/** Logs what became of one request of each kind. */
const code = `
import {controller, inject, Tokens} from '@orch-api/orch/sdk';
const ref = (resource) => ({group: '', version: 'v1', resource});
export class Trier {
  constructor(resources, cache, logger) { Object.assign(this, {resources, cache, logger}); }
  async start(signal) { this.running = this.try(signal); }
  async stop() { await this.running; }
  async try(signal) {
    const did = {};
    const attempt = async (name, work) => { did[name] = await work().then(() => 'done', (error) => error.code + ' ' + error.message); };
    await attempt('create', () => this.resources.create(ref('configmaps'), 'default', {metadata: {generateName: 'made-'}}));
    await attempt('read', () => this.resources.list(ref('secrets'), ''));
    await attempt('watch', async () => { for await (const _ of this.resources.watch(ref('namespaces'), '', {signal})) break; });
    await attempt('follow', () => new Promise((listed) => {
      const nothing = () => undefined;
      this.cache.follow(ref('configmaps'), {changed: nothing, deleted: nothing, reset: nothing, ended: nothing, listed}, signal);
    }));
    const event = {metadata: {generateName: 'seen-'}, involvedObject: {kind: 'ConfigMap', name: 'x', namespace: 'default'}, reason: 'Seen', source: {component: 'trier'}};
    await attempt('event', () => this.resources.create(ref('events'), 'default', event));
    await attempt('delete', () => this.resources.delete(ref('secrets'), 'default', 'absent'));
    await attempt('deleteAgain', () => this.resources.delete(ref('secrets'), 'default', 'absent'));
    this.logger.info({did}, 'tried');
  }
}
inject(Tokens.Resources)(Trier, undefined, 0);
inject(Tokens.ObjectCache)(Trier, undefined, 1);
inject(Tokens.Logger)(Trier, undefined, 2);
controller()(Trier);
`;

/** A plugin with that controller. @param declared of its manifest */
function tryingPlugin(t: Teardown, name: string, declared: object): string {
  const contributes = {controllers: [{class: 'Trier', name, leaderElection: false, ...declared}]};
  // One that acts as its plugin may do what that may.
  const everything = [{verbs: ['*'], apiGroups: ['*'], resources: ['*']}];
  const own = 'serviceAccount' in declared && declared.serviceAccount === false ? {permissions: everything} : {};
  const manifest = {name: `${name}-plugin`, version: '1.0.0', kernel: '*', entry: './plugin.js', contributes, ...own};
  return join(fileTree(t, {[`${name}/plugin.json`]: JSON.stringify(manifest), [`${name}/plugin.js`]: code}), name);
}

const rbac = '/apis/rbac.authorization.orch/v1';
const permissions = [{verbs: ['create'], apiGroups: [''], resources: ['configmaps']}];

/** A server with such plugins, and what they have tried, by the names of their plugins. */
async function startTrying(t: Teardown, controllers: Readonly<Record<string, object>>, options: object = {}) {
  const {logger, lines} = recordingLogger();
  const did: Record<string, Record<string, string>> = {};
  const named = (fields: Readonly<Record<string, unknown>>): typeof logger => ({
    ...logger,
    child: (more) => named({...fields, ...more}),
    info: (more: object, message: string) => {
      if (message === 'tried') did[String(fields['controller'])] = (more as {did: Record<string, string>}).did;
      logger.info(more, message);
    },
  });
  const plugins = Object.entries(controllers).map(([name, declared]) => tryingPlugin(t, name, declared));
  const server = await startTestServer({plugins, logger: named({}), ...options});
  t.teardown(() => server.stop());
  const refused = (controller: string) =>
    lines
      .filter(({level, fields}) => level === 'error' && fields['controller'] === controller)
      .map(({fields, message}): Record<string, unknown> & {message: string} => ({...fields, message}));
  return {server, refused, done: (name: string) => until(`${name} has tried`, () => did[name])};
}

const forbidden = (account: string, verb: string, resource: string) =>
  new RegExp(`^403 .*User "system:serviceaccount:orch-system:${account}" cannot ${verb} resource "${resource}"`);

test('a controller acts under an account of its own: it reads, records Events, and does what its manifest declares', async (t) => {
  const trying = await startTrying(t, {
    plain: {},
    declared: {permissions},
    shared: {serviceAccount: 'room-keeper', permissions},
    master: {serviceAccount: false},
    late: {serviceAccount: 'late-one'},
  });
  const {server, refused} = trying;
  // Made after the start: what is not there yet is waited for.
  await server.client.post(`${rbac}/clusterroles`, {metadata: {name: 'late'}, rules: [{verbs: ['*'], apiGroups: ['*'], resources: ['*']}]});
  await server.client.post(`${rbac}/clusterrolebindings`, {
    metadata: {name: 'late'},
    roleRef: {apiGroup: 'rbac.authorization.orch', kind: 'ClusterRole', name: 'late'},
    subjects: [{kind: 'ServiceAccount', name: 'late-one', namespace: 'orch-system'}],
  });
  const all = {read: 'done', watch: 'done', follow: 'done', event: 'done', create: 'done'};
  for (const name of ['master', 'late']) {
    const {delete: deleted, ...rest} = await trying.done(name);
    t.like(rest, all, name);
    t.regex(deleted!, /^404 /, name);
    t.deepEqual(refused(name), [], name);
  }
  for (const [name, account] of [
    ['declared', 'declared'],
    ['shared', 'room-keeper'],
  ] as const) {
    const {delete: deleted, ...rest} = await trying.done(name);
    t.like(rest, all, name);
    t.regex(deleted!, forbidden(account, 'delete', 'secrets'));
    const role = (await server.client.get(`${rbac}/clusterroles/system:controller:${account}`)).json<{rules: object[]}>();
    t.deepEqual(role.rules[0], {verbs: ['create'], apiGroups: [''], resources: ['configmaps']});
  }
  const {create, delete: deleted, ...rest} = await trying.done('plain');
  t.like(rest, {read: 'done', watch: 'done', follow: 'done', event: 'done'});
  t.regex(create!, forbidden('plain', 'create', 'configmaps'));
  t.regex(deleted!, forbidden('plain', 'delete', 'secrets'));
  // Two deletes were refused, and told once.
  const told = refused('plain');
  t.deepEqual(
    told.map(({verb, resource}) => `${verb} ${resource}`),
    ['create configmaps', 'delete secrets'],
  );
  t.like(told[0], {user: 'system:serviceaccount:orch-system:plain', namespace: 'default'});
  t.regex(told[0]!.message, /may not create configmaps, which it needs to: .*permissions/);
});

const gone = (server: TestServer, namespace: string) => async () =>
  (await server.client.get(`/api/v1/namespaces/${namespace}`)).status === 404;

test('a built-in controller does what its role allows: without it, it says so once, and goes on when it is there again', async (t) => {
  const {logger, lines} = recordingLogger();
  await using server = await startTestServer({logger});
  const bindings: {metadata: {name: string}}[] = [];
  for (const name of ['namespace-controller', 'service-account-controller']) {
    const path = `${rbac}/clusterrolebindings/system:controller:${name}`;
    const {metadata, ...binding} = (await server.client.get(path)).json<{metadata: {name: string}}>();
    bindings.push({...binding, metadata: {name: metadata.name}});
    await server.client.delete(path);
  }
  await server.client.post('/api/v1/namespaces', {metadata: {name: 'three'}});
  const account = async () => (await server.client.get('/api/v1/namespaces/three/serviceaccounts/default')).status;
  const refusals = () => lines.filter(({level, fields}) => level === 'error' && fields['controller'] === 'namespace');
  for (const name of ['one', 'two']) {
    await server.client.post('/api/v1/namespaces', {metadata: {name}});
    await server.client.delete(`/api/v1/namespaces/${name}`);
  }
  await until('it is told', () => refusals().length > 0);
  t.false(await gone(server, 'one')());
  await until('the other one is told', () =>
    lines.some(({level, fields}) => level === 'error' && fields['controller'] === 'serviceaccount'),
  );
  t.is(await account(), 404);
  for (const binding of bindings) await server.client.post(`${rbac}/clusterrolebindings`, binding);
  await until('the account', async () => (await account()) === 200);
  for (const name of ['one', 'two']) await until(`${name} is gone`, gone(server, name));
  const told = refusals().map(({fields}) => `${String(fields['verb'])} ${String(fields['resource'])}`);
  t.deepEqual(told, [...new Set(told)]);
});

test('controllers ask the authorizers that the server has: none but that of masters, or one that allows everything, lets them work', async (t) => {
  const alone = ['core', 'namespace-lifecycle', 'client-certificate', 'masters', 'store-embedded', 'apiextensions', 'namespace-controller'];
  for (const options of [{authorizationMode: ['AlwaysAllow']}, {onlyPlugins: alone}]) {
    await using server = await startTestServer(options);
    await server.client.post('/api/v1/namespaces', {metadata: {name: 'gone'}});
    await server.client.delete('/api/v1/namespaces/gone');
    await until(JSON.stringify(options), gone(server, 'gone'));
    t.pass();
  }
});

test('controllers may write nothing where the authorizers allow nothing', async (t) => {
  const trying = await startTrying(t, {plain: {permissions}}, {authorizationMode: ['AlwaysDeny']});
  await until('it is told', () => trying.refused('plain').length > 0);
  t.like(trying.refused('plain')[0], {verb: 'create', resource: 'configmaps'});
});
