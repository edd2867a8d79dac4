import {testOnEachStore} from '../helpers/each-store.js';
import {configMap, withFixtures} from './fixtures.js';
import {userWho} from './user-who.js';

const eachStore = testOnEachStore(withFixtures);

interface Case {
  readonly verb: string;
  readonly method: string;
  /** Behind the path of the collection. */
  readonly path: string;
  readonly body?: unknown;
  readonly type?: string;
}

const cases: readonly Case[] = [
  {verb: 'get', method: 'GET', path: '/one'},
  {verb: 'get', method: 'HEAD', path: '/one'},
  {verb: 'list', method: 'GET', path: ''},
  {verb: 'list', method: 'GET', path: '?fieldSelector=metadata.name%3Done'},
  {verb: 'watch', method: 'GET', path: '?watch=1&timeoutSeconds=1'},
  {verb: 'watch', method: 'GET', path: '?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Done'},
  {verb: 'watch', method: 'GET', path: '/one?watch=1&timeoutSeconds=1'},
  {verb: 'create', method: 'POST', path: '', body: configMap('two')},
  {verb: 'update', method: 'PUT', path: '/one', body: configMap('one')},
  {verb: 'patch', method: 'PATCH', path: '/one', body: '{"data":{"a":"b"}}', type: 'application/merge-patch+json'},
  {verb: 'patch', method: 'PATCH', path: '/one', body: '[]', type: 'application/json-patch+json'},
  {verb: 'deletecollection', method: 'DELETE', path: '?labelSelector=none'},
  {verb: 'delete', method: 'DELETE', path: '/one'},
];
const verbs = [...new Set(cases.map(({verb}) => verb))];

eachStore(
  'each request needs the permission of its own verb and no other: get, list, watch (also of one name), create, update, patch, delete, deletecollection ' +
    '[A-SVC-9] [A-SVC-10] [A-SVC-11] [A-SVC-12] [A-SVC-13] [A-SVC-14] [A-SVC-16] [A-SVC-17] [A-SVC-18] [B-ERR-4]',
  async (t, {server, client, path}) => {
    const collection = path('configmaps');
    await client.post(collection, configMap('one'));
    for (const {verb, method, path: rest, body, type} of cases) {
      const title = `${verb}: ${method} ${rest}`;
      const options = {...(body === undefined ? {} : {body}), ...(type ? {headers: {'content-type': type}} : {})};
      const others = await userWho(t, server, ...verbs.filter((other) => other !== verb));
      const refused = await others.request(method, collection + rest, options);
      t.is(refused.status, 403, title);
      if (method !== 'HEAD') {
        const status = refused.json<{reason: string; message: string; details: {kind: string; name?: string}}>();
        t.is(status.reason, 'Forbidden');
        t.is(status.details.kind, 'configmaps');
        t.true(status.message.includes(` cannot ${verb} resource "configmaps" in API group "" in the namespace `), status.message);
      }
      const allowed = await (await userWho(t, server, verb)).request(method, collection + rest, options);
      // HEAD of a resource is refused behind authorization.
      t.true(method === 'HEAD' ? allowed.status === 405 : allowed.status < 300, `${title}: ${allowed.status} ${allowed.text}`);
    }
  },
);

eachStore('the path of a watch needs the permission to watch', async (t, {server, path}) => {
  const target = `${path('configmaps').replace('/api/v1/', '/api/v1/watch/')}?timeoutSeconds=1`;
  t.is((await (await userWho(t, server, 'get', 'list')).get(target)).status, 403);
  t.is((await (await userWho(t, server, 'watch')).get(target)).status, 200);
});

eachStore('a PUT that creates needs the permission to create besides that to update [A-SVC-15]', async (t, {server, client, path}) => {
  const item = `${path('leases', 'coordination.orch/v1')}/one`;
  t.is((await (await userWho(t, server, 'update')).put(item, {metadata: {name: 'one'}})).status, 403);
  t.is((await client.get(item)).status, 404);
  const both = await userWho(t, server, 'update', 'create');
  t.is((await both.put(item, {metadata: {name: 'one'}})).status, 201);
  t.is((await both.put(item, {metadata: {name: 'one', resourceVersion: '0'}})).status, 422);
});

eachStore('a dry run needs the permission of the real request [A-DRY-13]', async (t, {server, client, path}) => {
  const collection = path('configmaps');
  await client.post(collection, configMap('one'));
  const reader = await userWho(t, server, 'get', 'list', 'watch');
  const writer = await userWho(t, server, 'create', 'update', 'patch', 'delete', 'deletecollection');
  for (const [method, rest, body] of [
    ['POST', '', configMap('two')],
    ['PUT', '/one', configMap('one')],
    ['DELETE', '/one', undefined],
    ['DELETE', '', undefined],
  ] as const) {
    t.is((await reader.request(method, `${collection}${rest}?dryRun=All`, {body})).status, 403, method);
    t.true((await writer.request(method, `${collection}${rest}?dryRun=All`, {body})).status < 300, method);
  }
});
