import type {ApiObject} from '@orch-api/orch/sdk';
import {testOnEachStore} from '../../../helpers/each-store.js';
import {eventually} from '../../../helpers/eventually.js';
import {isWithin, longestTurn} from '../../../helpers/longest-turn.js';
import {hold, ownerReference, untilGone, untilStatus} from './owned-objects.js';

const eachStore = testOnEachStore();

eachStore('objects whose only owner is deleted are deleted after it, however deep [A-QP-24]', async (t, {client, path}) => {
  const maps = path('configmaps');
  const top = (await client.post(maps, {metadata: {name: 'top'}})).json<ApiObject>();
  const middle = (await client.post(maps, {metadata: {name: 'middle', ownerReferences: [ownerReference(top)]}})).json<ApiObject>();
  await client.post(path('secrets'), {metadata: {name: 'bottom', ownerReferences: [ownerReference(middle)]}});
  await client.post(maps, {metadata: {name: 'other'}});
  t.is((await client.delete(`${maps}/top`)).status, 200);
  t.is((await client.get(`${maps}/top`)).status, 404);
  await untilGone(client, `${maps}/middle`);
  await untilGone(client, `${path('secrets')}/bottom`);
  t.is((await client.get(`${maps}/other`)).status, 200);
});

eachStore('with `Foreground` an owner waits for dependents that block it, and not for others [A-QP-24]', async (t, {client, path}) => {
  const maps = path('configmaps');
  const owner = (await client.post(maps, {metadata: {name: 'owner'}})).json<ApiObject>();
  const blocking = ownerReference(owner, {blockOwnerDeletion: true});
  await client.post(maps, {metadata: {name: 'held', ownerReferences: [blocking], ...hold}});
  await client.post(maps, {metadata: {name: 'free', ownerReferences: [blocking]}});
  await client.post(maps, {metadata: {name: 'other', ownerReferences: [ownerReference(owner)], ...hold}});
  const marked = await client.delete(`${maps}/owner?propagationPolicy=Foreground`);
  t.deepEqual(marked.json<ApiObject>().metadata.finalizers, ['foregroundDeletion']);
  await untilGone(client, `${maps}/free`);
  for (const name of ['held', 'other']) {
    await eventually(
      async () => (await client.get(`${maps}/${name}`)).json<ApiObject>().metadata.deletionTimestamp,
      (time) => typeof time === 'string',
    );
  }
  t.is((await client.get(`${maps}/owner`)).status, 200);
  await client.patch(`${maps}/held`, {metadata: {finalizers: null}});
  await untilGone(client, `${maps}/owner`);
  t.is((await client.get(`${maps}/other`)).status, 200);
  await client.patch(`${maps}/other`, {metadata: {finalizers: null}});
});

eachStore('with `Orphan` dependents stay and name the owner no more; another owner is kept [A-QP-24]', async (t, {client, path}) => {
  const maps = path('configmaps');
  const owner = (await client.post(maps, {metadata: {name: 'owner'}})).json<ApiObject>();
  const second = (await client.post(maps, {metadata: {name: 'second'}})).json<ApiObject>();
  await client.post(maps, {metadata: {name: 'one', ownerReferences: [ownerReference(owner)]}});
  await client.post(maps, {metadata: {name: 'two', ownerReferences: [ownerReference(owner), ownerReference(second)]}});
  const marked = await client.delete(`${maps}/owner?propagationPolicy=Orphan`);
  t.deepEqual(marked.json<ApiObject>().metadata.finalizers, ['orphan']);
  await untilGone(client, `${maps}/owner`);
  t.is((await client.get(`${maps}/one`)).json<ApiObject>().metadata.ownerReferences, undefined);
  t.deepEqual((await client.get(`${maps}/two`)).json<ApiObject>().metadata.ownerReferences, [ownerReference(second)]);
});

eachStore('an object stays while one of its owners does, and forgets those that are gone', async (t, {client, path}) => {
  const maps = path('configmaps');
  const make = async (name: string) => (await client.post(maps, {metadata: {name}})).json<ApiObject>();
  const [first, second, third] = [await make('first'), await make('second'), await make('third')];
  const ownerReferences = [ownerReference(first), ownerReference(second, {blockOwnerDeletion: true}), ownerReference(third)];
  await client.post(maps, {metadata: {name: 'one', ownerReferences}});
  await client.delete(`${maps}/first`);
  const names = async () =>
    (await client.get(`${maps}/one`))
      .json<ApiObject>()
      .metadata.ownerReferences?.map(({name}) => name)
      .join(' ');
  await eventually(names, (text) => text === 'second third');
  // One that waits for this dependent is not waited for in turn.
  await client.delete(`${maps}/second?propagationPolicy=Foreground`);
  await untilGone(client, `${maps}/second`);
  t.is(await names(), 'third');
  await client.delete(`${maps}/third`);
  await untilGone(client, `${maps}/one`);
});

eachStore('an object that names an owner that never was, or has another uid, is deleted', async (t, {client, path}) => {
  const maps = path('configmaps');
  const owner = (await client.post(maps, {metadata: {name: 'owner'}})).json<ApiObject>();
  const absent = {...ownerReference(owner), name: 'nobody', uid: '6f0f5a2e-0000-4000-8000-000000000001'};
  const other = {...ownerReference(owner), uid: '6f0f5a2e-0000-4000-8000-000000000002'};
  for (const [name, ownerReferences] of [
    ['absent', [absent]],
    ['other-uid', [other]],
    ['misnamed', [{...ownerReference(owner), name: 'nobody'}]],
    ['kept', [absent, ownerReference(owner)]],
  ] as const)
    t.is((await client.post(maps, {metadata: {name, ownerReferences}})).status, 201);
  for (const name of ['absent', 'other-uid', 'misnamed']) await untilGone(client, `${maps}/${name}`);
  await eventually(
    async () => (await client.get(`${maps}/kept`)).json<ApiObject>().metadata.ownerReferences?.length,
    (length) => length === 1,
  );
  t.is((await client.get(`${maps}/owner`)).status, 200);
});

eachStore(
  'an owner of a kind that is not served is waited for, also by another owner that waits for the dependent',
  async (t, {client, path}) => {
    const maps = path('configmaps');
    const reference = {apiVersion: 'later.example.com/v1', kind: 'Later', name: 'one', uid: '6f0f5a2e-0000-4000-8000-000000000003'};
    await client.post(maps, {metadata: {name: 'one', ownerReferences: [reference]}});
    const owner = (await client.post(maps, {metadata: {name: 'owner'}})).json<ApiObject>();
    const blocking = ownerReference(owner, {blockOwnerDeletion: true});
    await client.post(maps, {metadata: {name: 'both', ownerReferences: [blocking, reference]}});
    await client.delete(`${maps}/owner?propagationPolicy=Foreground`);
    const marker = (
      await client.post(maps, {metadata: {name: 'marker', ownerReferences: [{...reference, apiVersion: 'v1', kind: 'Secret'}]}})
    ).json<ApiObject>();
    t.truthy(marker.metadata.uid);
    await untilGone(client, `${maps}/marker`);
    for (const name of ['one', 'both', 'owner']) t.is((await client.get(`${maps}/${name}`)).status, 200);
    await client.post('/apis/apiextensions.orch/v1/customresourcedefinitions', definition('later.example.com', 'Later', 'laters'));
    for (const name of ['one', 'both', 'owner']) await untilGone(client, `${maps}/${name}`);
    await client.delete('/apis/apiextensions.orch/v1/customresourcedefinitions/laters.later.example.com');
  },
);

eachStore(
  'custom resources are owners and dependents like others, also of a type that was removed and came back',
  async (t, {client, path}) => {
    const definitions = '/apis/apiextensions.orch/v1/customresourcedefinitions';
    const group = `g${path('x').split('/')[4]}.example.com`;
    const maps = path('configmaps');
    for (let round = 0; round < 2; round++) {
      await client.post(definitions, definition(group, 'Thing', 'things'));
      const things = path('things', `${group}/v1`);
      await untilStatus(client, things, 200);
      const thing = (await client.post(things, {apiVersion: `${group}/v1`, kind: 'Thing', metadata: {name: 'one'}})).json<ApiObject>();
      await client.post(maps, {metadata: {name: 'of-thing', ownerReferences: [ownerReference(thing)]}});
      const map = (await client.post(maps, {metadata: {name: 'map'}})).json<ApiObject>();
      const dependent = {apiVersion: `${group}/v1`, kind: 'Thing', metadata: {name: 'of-map', ownerReferences: [ownerReference(map)]}};
      t.is((await client.post(things, dependent)).status, 201);
      await client.delete(`${maps}/map`);
      await untilGone(client, `${things}/of-map`);
      t.is((await client.get(`${maps}/of-thing`)).status, 200);
      // The type goes with its objects, and what they own goes too.
      await client.delete(`${definitions}/things.${group}`);
      await untilGone(client, `${definitions}/things.${group}`);
      await untilGone(client, `${maps}/of-thing`);
    }
  },
);

eachStore(
  'an owner in another namespace counts as absent, which an Event tells; a valid owner keeps the object',
  async (t, {start, path, namespace}) => {
    // A server of its own: how many absent owners are looked for elsewhere has a bound, and other tests have thousands of them.
    const {client} = await start();
    const elsewhere = `${namespace}-elsewhere`;
    for (const name of [namespace, elsewhere]) t.is((await client.post('/api/v1/namespaces', {metadata: {name}})).status, 201);
    const owner = (await client.post(`/api/v1/namespaces/${elsewhere}/configmaps`, {metadata: {name: 'owner'}})).json<ApiObject>();
    const near = (await client.post(path('configmaps'), {metadata: {name: 'near'}})).json<ApiObject>();
    const lost = (
      await client.post(path('configmaps'), {metadata: {name: 'lost', ownerReferences: [ownerReference(owner)]}})
    ).json<ApiObject>();
    await client.post(path('configmaps'), {metadata: {name: 'kept', ownerReferences: [ownerReference(owner), ownerReference(near)]}});
    await untilGone(client, `${path('configmaps')}/lost`);
    interface Told {
      items: {reason: string; message: string; type: string; involvedObject: {uid: string; kind: string}}[];
    }
    const told = await eventually(
      async () => (await client.get(path('events'))).json<Told>().items.filter(({reason}) => reason === 'OwnerRefInvalidNamespace'),
      ({length}) => length === 2,
    );
    const ofLost = told.find(({involvedObject}) => involvedObject.uid === lost.metadata.uid)!;
    t.is(ofLost.type, 'Warning');
    t.is(ofLost.involvedObject.kind, 'ConfigMap');
    t.is(
      ofLost.message,
      `ownerRef [v1/ConfigMap, namespace: ${namespace}, name: owner, uid: ${owner.metadata.uid}] does not exist in namespace "${namespace}"`,
    );
    await eventually(
      async () => (await client.get(`${path('configmaps')}/kept`)).json<ApiObject>().metadata.ownerReferences?.length,
      (length) => length === 1,
    );
    t.is((await client.get(`/api/v1/namespaces/${elsewhere}/configmaps/owner`)).status, 200);
  },
  // Events of a leader that is lost are lost.
  {alone: true},
);

eachStore(
  'a cluster-scoped owner owns in every namespace; a cluster-scoped object that names an owner in a namespace is never collected',
  async (t, {client, path, namespace}) => {
    const classes = '/apis/scheduling.orch/v1/priorityclasses';
    const make = async (name: string, ownerReferences: object[] = []) =>
      (await client.post(classes, {metadata: {name: `${namespace}-${name}`, ownerReferences}, value: 1})).json<ApiObject>();
    const owner = await make('owner');
    const map = (await client.post(path('configmaps'), {metadata: {name: 'map'}})).json<ApiObject>();
    const stays = await make('stays', [ownerReference(map)]);
    await make('goes', [ownerReference(owner)]);
    await client.post(path('configmaps'), {metadata: {name: 'one', ownerReferences: [ownerReference(owner)]}});
    await client.delete(`${classes}/${owner.metadata.name}`);
    await client.delete(`${path('configmaps')}/map`);
    await untilGone(client, `${path('configmaps')}/one`);
    await untilGone(client, `${classes}/${namespace}-goes`);
    t.is((await client.get(`${classes}/${stays.metadata.name}`)).status, 200);
  },
);

eachStore('circles of owners go, in the background and in the foreground', async (t, {client, path}) => {
  const maps = path('configmaps');
  for (const policy of ['Background', 'Foreground']) {
    const one = (await client.post(maps, {metadata: {name: 'one'}})).json<ApiObject>();
    const blocking = {blockOwnerDeletion: true};
    const two = (await client.post(maps, {metadata: {name: 'two', ownerReferences: [ownerReference(one, blocking)]}})).json<ApiObject>();
    const three = (
      await client.post(maps, {metadata: {name: 'three', ownerReferences: [ownerReference(two, blocking)]}})
    ).json<ApiObject>();
    await client.patch(`${maps}/one`, {metadata: {ownerReferences: [ownerReference(three, blocking)]}});
    t.is((await client.delete(`${maps}/two?propagationPolicy=${policy}`)).status, 200);
    for (const name of ['one', 'two', 'three']) await untilGone(client, `${maps}/${name}`);
  }
});

eachStore('an owner without dependents, in the foreground or orphaning, goes at once', async (t, {client, path}) => {
  const maps = path('configmaps');
  for (const policy of ['Foreground', 'Orphan']) {
    await client.post(maps, {metadata: {name: 'one'}});
    t.is((await client.delete(`${maps}/one?propagationPolicy=${policy}`)).status, 200);
    await untilGone(client, `${maps}/one`);
  }
});

eachStore('owners may be given and taken away later', async (t, {client, path}) => {
  const maps = path('configmaps');
  const owner = (await client.post(maps, {metadata: {name: 'owner'}})).json<ApiObject>();
  for (const name of ['given', 'freed'])
    await client.post(maps, {metadata: {name, ...(name === 'freed' ? {ownerReferences: [ownerReference(owner)]} : {})}});
  await client.patch(`${maps}/given`, {metadata: {ownerReferences: [ownerReference(owner)]}});
  await client.patch(`${maps}/freed`, {metadata: {ownerReferences: null}});
  await client.delete(`${maps}/owner`);
  await untilGone(client, `${maps}/given`);
  t.is((await client.get(`${maps}/freed`)).status, 200);
});

function definition(group: string, kind: string, plural: string) {
  return {
    metadata: {name: `${plural}.${group}`},
    spec: {
      group,
      names: {kind, plural},
      scope: 'Namespaced',
      versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object'}}}],
    },
  };
}

eachStore(
  'an object that names as many owners as fit, none of which exists, is collected while others are served',
  async (t, {client, path}) => {
    const maps = path('configmaps');
    const uid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
    const ownerReferences = Array.from({length: 5900}, (_, number) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      name: 'none',
      uid: uid(number),
    }));
    const {longestMillis} = await longestTurn(async () => {
      t.is((await client.post(maps, {metadata: {name: 'eager', ownerReferences}})).status, 201);
      await untilGone(client, `${maps}/eager`);
    });
    t.log(`longest turn ${longestMillis.toFixed(0)} ms`);
    // Work that grew with the square of the owners took seconds.
    t.true(await isWithin(longestMillis, 500));
  },
);
