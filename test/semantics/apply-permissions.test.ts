import {testOnEachStore} from '../helpers/each-store.js';
import type {HttpsClient} from '../helpers/https-client.js';
import {applyPatch, withShelves} from './apply-fixtures.js';
import {configMap} from './fixtures.js';
import {userWho} from './user-who.js';

const eachStore = testOnEachStore(withShelves);

const apply = (client: HttpsClient, item: string, data: Record<string, string>, query = '') =>
  client.request('PATCH', `${item}?fieldManager=one${query}`, {body: configMap('one', data), headers: {'content-type': applyPatch}});

eachStore(
  'an apply to an object needs the permission to patch, one that creates that to create besides [A-SSA-29] [A-SSA-30]',
  async (t, {server, client, path}) => {
    const item = `${path('configmaps')}/one`;
    const patcher = await userWho(t, server, 'patch', 'update', 'get');
    const creator = await userWho(t, server, 'create', 'update', 'get');
    const both = await userWho(t, server, 'patch', 'create');
    for (const query of ['', '&dryRun=All']) {
      const refused = await apply(patcher, item, {a: '1'}, query);
      t.is(refused.status, 403);
      t.regex(refused.json<{message: string}>().message, / cannot create resource "configmaps" in API group "" in the namespace /);
      t.is((await apply(creator, item, {a: '1'}, query)).status, 403);
    }
    t.is((await client.get(item)).status, 404);
    t.is((await apply(both, item, {a: '1'}, '&dryRun=All')).status, 201);
    t.is((await apply(both, item, {a: '1'})).status, 201);
    t.is((await apply(patcher, item, {a: '2'})).status, 200);
    const refused = await apply(creator, item, {a: '3'});
    t.is(refused.status, 403);
    t.regex(refused.json<{message: string}>().message, / cannot patch resource "configmaps" /);
    t.is((await client.get(item)).json<{data: {a: string}}>().data.a, '2');
  },
);
