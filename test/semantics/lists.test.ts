import type {ExecutionContext} from 'ava';
import type {TestClient} from '@orch-api/orch/testing';
import {testOnEachStore} from '../helpers/each-store.js';
import {answer, assertFailure} from './answers.js';
import {configMap, gadget, gadgets, namesOf, uniqueName, widget, widgetsVersion, withFixtures, type ReadList} from './fixtures.js';

const eachStore = testOnEachStore(withFixtures);

/** Every chunk of a list, by continue tokens. */
async function chunks(
  t: ExecutionContext,
  client: TestClient,
  path: string,
  limit: number,
  between?: (chunk: number) => Promise<void>,
): Promise<ReadList[]> {
  const found: ReadList[] = [];
  const mark = path.includes('?') ? '&' : '?';
  for (let token = ''; found.length < 50;) {
    const list = answer<ReadList>(
      t,
      await client.get(`${path}${mark}limit=${limit}${token && `&continue=${encodeURIComponent(token)}`}`),
      200,
    );
    found.push(list);
    if (!list.metadata.continue) return found;
    token = list.metadata.continue;
    await between?.(found.length);
  }
  throw new Error('the list has no end');
}

const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

eachStore(
  'a list is of the kind of its items with List behind it, in the version of the request, which those of custom types repeat [A-COLL-1] [A-COLL-2] [A-COLL-3] [A-COLL-10] [A-COLL-11]',
  async (t, {client}) => {
    const groups = answer<{groups: {versions: {groupVersion: string}[]}[]}>(t, await client.get('/apis'), 200).groups;
    const roots = ['/api/v1', ...groups.flatMap(({versions}) => versions.map(({groupVersion}) => `/apis/${groupVersion}`))];
    let lists = 0;
    for (const root of roots) {
      const {groupVersion, resources} = answer<{groupVersion: string; resources: {name: string; kind: string; verbs: string[]}[]}>(
        t,
        await client.get(root),
        200,
      );
      for (const {name, kind, verbs} of resources) {
        t.not(kind, 'List');
        if (!verbs.includes('list')) continue;
        const list = answer<ReadList>(t, await client.get(`${root}/${name}?limit=1`), 200);
        t.is(list.kind, `${kind}List`);
        t.is(list.apiVersion, groupVersion);
        t.true(Array.isArray(list.items), name);
        const said = groupVersion.includes('.example.com/') ? {kind, apiVersion: groupVersion} : {kind: undefined, apiVersion: undefined};
        for (const item of list.items) t.deepEqual({kind: item.kind, apiVersion: item.apiVersion}, said, name);
        lists++;
      }
    }
    t.true(lists >= 8, `${lists} types`);
  },
);

eachStore('an empty list has metadata and an empty array [A-COLL-3]', async (t, {client, path}) => {
  for (const target of [
    path('configmaps'),
    `${path('configmaps')}?limit=5`,
    `${path('configmaps')}?labelSelector=a%3Db`,
    path('widgets', widgetsVersion),
    '/api/v1/namespaces/nowhere/configmaps',
  ]) {
    const list = answer<ReadList>(t, await client.get(target), 200);
    t.deepEqual(list.items, []);
    t.regex(list.metadata.resourceVersion, /^\d+$/);
    t.falsy(list.metadata.continue);
    t.is(list.metadata.remainingItemCount, undefined);
  }
});

eachStore(
  'chunks have at most as many items as the limit says, one version, a token while there is more, and the number of what is left [A-QP-8] [A-COLL-4] [A-COLL-5] [A-COLL-6] [A-COLL-7] [A-COLL-9] [A-CHUNK-1]',
  async (t, {client, path}) => {
    const collection = path('configmaps');
    for (const name of letters) answer(t, await client.post(collection, configMap(name)), 201);
    for (const limit of [1, 2, 3, 6, 7, 8]) {
      const lists = await chunks(t, client, collection, limit);
      t.is(lists.length, Math.ceil(letters.length / limit));
      t.deepEqual(lists.flatMap(namesOf), letters);
      t.is(new Set(lists.map(({metadata}) => metadata.resourceVersion)).size, 1);
      lists.forEach((list, index) => {
        t.true(list.items.length <= limit);
        const left = letters.length - (index + 1) * limit;
        t.is(list.metadata.remainingItemCount, left > 0 ? left : undefined);
        t.is(Boolean(list.metadata.continue), left > 0);
      });
    }
  },
);

eachStore('with a selector nobody counts what is left [A-COLL-8]', async (t, {client, path}) => {
  const collection = path('configmaps');
  for (const name of letters) await client.post(collection, configMap(name, {}, {labels: {kind: name < 'e' ? 'early' : 'late'}}));
  for (const selector of ['labelSelector=kind%3Dearly', 'labelSelector=kind', 'fieldSelector=metadata.name!%3Dg']) {
    const lists = await chunks(t, client, `${collection}?${selector}`, 2);
    t.true(lists.length >= 2);
    t.true(lists.every(({metadata}) => metadata.remainingItemCount === undefined));
    t.true(lists.slice(0, -1).every(({metadata}) => metadata.continue));
  }
});

eachStore('all chunks show one state, whatever is written between them [A-CHUNK-2] [A-COLL-4]', async (t, {client, path}) => {
  const collection = path('configmaps');
  for (const name of letters) await client.post(collection, configMap(name, {state: 'first'}));
  const lists = await chunks(t, client, collection, 2, async (chunk) => {
    await client.post(collection, configMap(`${letters[chunk * 2]}-new`));
    await client.post(collection, configMap(`0-${chunk}`));
    await client.patch(`${collection}/${letters[chunk * 2]}`, {data: {state: 'second'}});
    await client.delete(`${collection}/${letters[chunk * 2 - 1]}`);
    await client.delete(`${collection}/g`);
  });
  t.deepEqual(lists.flatMap(namesOf), letters);
  t.true(lists.every(({items}) => items.every(({data}) => data?.['state'] === 'first')));
  t.is(new Set(lists.map(({metadata}) => metadata.resourceVersion)).size, 1);
  t.deepEqual(
    lists.map(({metadata}) => metadata.remainingItemCount),
    [5, 3, 1, undefined],
  );
  t.not(answer<ReadList>(t, await client.get(collection), 200).items.length, letters.length);
});

eachStore(
  'a token belongs to its list: another namespace, type or selector, or a text that is none, is answered with 400',
  async (t, {client, path}) => {
    const collection = path('configmaps');
    for (const name of letters) await client.post(collection, configMap(name));
    const token = answer<ReadList>(t, await client.get(`${collection}?limit=2`), 200).metadata.continue!;
    for (const target of [
      path('secrets'),
      '/api/v1/configmaps',
      '/api/v1/namespaces/default/configmaps',
      `${collection}?labelSelector=a`,
      `${collection}?fieldSelector=metadata.name!%3Da`,
    ]) {
      assertFailure(
        t,
        await client.get(`${target}${target.includes('?') ? '&' : '?'}limit=2&continue=${token}`),
        400,
        'BadRequest',
        /continue/,
      );
    }
    for (const bad of ['x', '%00', `${token}x%2B`, token.slice(0, -9), 'eyJ2IjoxfQ', 'bnVsbA']) {
      assertFailure(t, await client.get(`${collection}?limit=2&continue=${bad}`), 400, 'BadRequest', /continue/);
    }
    // The limit may change from chunk to chunk.
    t.is(answer<ReadList>(t, await client.get(`${collection}?limit=4&continue=${token}`), 200).items.length, 4);
    t.is(answer<ReadList>(t, await client.get(`${collection}?continue=${token}`), 200).items.length, 5);
  },
);

eachStore('a label selector selects by labels [A-QP-17]', async (t, {client, path}) => {
  const collection = path('configmaps');
  const labels: Record<string, object> = {a: {tier: 'front', size: '1'}, b: {tier: 'back'}, c: {size: '1'}, d: {}};
  for (const [name, value] of Object.entries(labels)) await client.post(collection, configMap(name, {}, {labels: value}));
  for (const [selector, expected] of [
    ['tier=front', 'a'],
    ['tier==front', 'a'],
    ['tier!=front', 'bcd'],
    ['tier in (front,back)', 'ab'],
    ['tier notin (front)', 'bcd'],
    ['tier', 'ab'],
    ['!tier', 'cd'],
    ['tier,size', 'a'],
    ['tier,!size', 'b'],
    ['size=1,tier notin (back)', 'ac'],
    ['size in (1, 2) , tier = front', 'a'],
    ['none=x', ''],
    ['', 'abcd'],
  ] as const) {
    const query = `labelSelector=${encodeURIComponent(selector)}`;
    t.is(namesOf(answer(t, await client.get(`${collection}?${query}`), 200)).join(''), expected, selector);
    t.is((await chunks(t, client, `${collection}?${query}`, 1)).flatMap(namesOf).join(''), expected, selector);
  }
  for (const bad of ['a in', 'a=(', ',', 'a=b c', '!a=b', 'a notin ()x', '-a', 'a=b,,c']) {
    assertFailure(t, await client.get(`${collection}?labelSelector=${encodeURIComponent(bad)}`), 400, 'BadRequest');
  }
});

eachStore(
  'a field selector selects by name, namespace and what the type offers, and is refused otherwise [A-QP-20]',
  async (t, {client, path, namespace}) => {
    const secrets = path('secrets');
    await client.post(secrets, {metadata: {name: 'a'}, type: 'example.com/one'});
    await client.post(secrets, {metadata: {name: 'b'}});
    await client.post(secrets, {metadata: {name: 'c'}});
    for (const [selector, expected] of [
      ['metadata.name=a', 'a'],
      ['metadata.name==a', 'a'],
      ['metadata.name!=a', 'bc'],
      ['type=Opaque', 'bc'],
      ['type=Opaque,metadata.name!=b', 'c'],
      ['metadata.name=a,metadata.name=b', ''],
      ['metadata.name=zzz', ''],
      ['type=example.com/one', 'a'],
      [`metadata.namespace=${namespace}`, 'abc'],
      ['metadata.namespace=default', ''],
    ] as const) {
      t.is(
        namesOf(answer(t, await client.get(`${secrets}?fieldSelector=${encodeURIComponent(selector)}`), 200)).join(''),
        expected,
        selector,
      );
    }
    const everywhere = `/api/v1/secrets?fieldSelector=${encodeURIComponent(`metadata.namespace=${namespace},metadata.name!=b`)}`;
    t.deepEqual(namesOf(answer(t, await client.get(everywhere), 200)), ['a', 'c']);
    for (const bad of ['data=x', 'metadata.labels=x', 'spec.text=x', 'a']) {
      assertFailure(t, await client.get(`${secrets}?fieldSelector=${encodeURIComponent(bad)}`), 400, 'BadRequest');
    }
    assertFailure(
      t,
      await client.get(`${secrets}?fieldSelector=immutable%3Dtrue`),
      400,
      'BadRequest',
      /field label not supported: immutable/,
    );
    const widgets = path('widgets', widgetsVersion);
    for (const [name, size] of [
      ['a', 'small'],
      ['b', 'large'],
    ] as const)
      await client.post(widgets, widget(name, {size}));
    t.deepEqual(namesOf(answer(t, await client.get(`${widgets}?fieldSelector=spec.size%3Dlarge`), 200)), ['b']);
    const text = uniqueName('text');
    await client.post(gadgets, gadget({text}));
    t.is(answer<ReadList>(t, await client.get(`${gadgets}?fieldSelector=spec.text%3D${text}`), 200).items.length, 1);
  },
);

eachStore('timeoutSeconds bounds the time that a list may take [A-QP-16]', async (t, {client, path}) => {
  const {resourceVersion} = answer<ReadList>(t, await client.get(path('configmaps')), 200).metadata;
  const far = BigInt(resourceVersion) + 1_000_000n;
  const started = performance.now();
  assertFailure(
    t,
    await client.get(`${path('configmaps')}?resourceVersion=${far}&timeoutSeconds=1`),
    504,
    'Timeout',
    /did not complete within 1 s/,
  );
  const seconds = (performance.now() - started) / 1000;
  t.true(seconds >= 0.9, `${seconds} s`);
  answer(t, await client.get(`${path('configmaps')}?timeoutSeconds=1`), 200);
  for (const bad of ['x', '', '1.5'])
    assertFailure(t, await client.get(`${path('configmaps')}?timeoutSeconds=${bad}`), 400, 'BadRequest', /strconv\.ParseInt/);
});

eachStore('a limit is a number; 0 and less are none', async (t, {client, path}) => {
  for (const name of letters) await client.post(path('configmaps'), configMap(name));
  for (const none of ['0', '-1'])
    t.is(answer<ReadList>(t, await client.get(`${path('configmaps')}?limit=${none}`), 200).items.length, letters.length);
  for (const bad of ['x', '1.5', '', '99999999999999999999'])
    assertFailure(t, await client.get(`${path('configmaps')}?limit=${bad}`), 400, 'BadRequest', /strconv\.ParseInt/);
});
