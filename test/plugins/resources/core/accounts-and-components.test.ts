import test from 'ava';
import type {ApiObject} from '../../../../sdk/index.js';
import {servedGroup, tableRows} from '../served-group.js';

const client = servedGroup(test);
const accounts = '/api/v1/namespaces/default/serviceaccounts';
const components = '/api/v1/componentstatuses';

test('of the secrets of a service account only the names are kept', async (t) => {
  const secrets = [{name: 'a', namespace: 'elsewhere', uid: '1'}];
  const made = (
    await client().post(accounts, {apiVersion: 'v1', kind: 'ServiceAccount', metadata: {name: 'robot'}, secrets})
  ).json<ApiObject>();
  t.deepEqual(made['secrets'], [{name: 'a'}]);
  const changed = (await client().patch(`${accounts}/robot`, {secrets: [...secrets, {name: 'b', kind: 'Secret'}]})).json<ApiObject>();
  t.deepEqual(changed['secrets'], [{name: 'a'}, {name: 'b'}]);
  t.like(
    (await tableRows(client(), accounts)).find(({Name: name}) => name === 'robot'),
    {Secrets: 2},
  );
});

test('the component status tells whether the store works, and that it is deprecated', async (t) => {
  const list = await client().get(components);
  t.regex(String(list.headers['warning']), /v1 ComponentStatus is deprecated/);
  const [store] = list.json<{items: ApiObject[]}>().items;
  t.is(store?.metadata.name, 'store');
  t.deepEqual(store?.['conditions'], [{type: 'Healthy', status: 'True', message: 'ok'}]);
  t.deepEqual((await client().get(`${components}/store`)).json<ApiObject>()['conditions'], store?.['conditions']);
  t.is((await client().get(`${components}/none`)).status, 404);
  t.deepEqual(await tableRows(client(), components), [{Name: 'store', Status: 'Healthy', Message: 'ok', Error: ''}]);
  t.is((await client().delete(`${components}/store`)).status, 405);
});
