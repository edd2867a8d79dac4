import test from 'ava';
import {until} from '../helpers/eventually.js';
import {startTwoServers} from '../helpers/two-servers.js';

interface Item {
  readonly metadata: {readonly name: string; readonly namespace: string; readonly resourceVersion: string};
}
interface List {
  readonly items: readonly Item[];
  readonly metadata: {readonly resourceVersion: string; readonly continue?: string; readonly remainingItemCount?: number};
}

const all = '/api/v1/configmaps';
const spaces = Array.from({length: 12}, (_, index) => `space-${index}`);
const keyOf = ({metadata: {namespace, name}}: Item) => `${namespace}/${name}`;

test('a list of a type that is spread over shards has one version: pages, counts and watches of any server agree on it', async (t) => {
  const servers = await startTwoServers(t, {}, '?shards=3');
  const [first, second] = servers.map(({client}) => client) as [(typeof servers)[0]['client'], (typeof servers)[0]['client']];
  for (const name of spaces) t.is((await first.post('/api/v1/namespaces', {metadata: {name}})).status, 201);
  const create = (client: typeof first, namespace: string, name: string) =>
    client.post(`/api/v1/namespaces/${namespace}/configmaps`, {metadata: {name, labels: {test: 'spread'}}});
  for (const [index, space] of spaces.entries()) {
    for (const name of ['a', 'b', 'c', 'd', 'e']) t.is((await create(index % 2 === 0 ? first : second, space, name)).status, 201);
  }
  const selector = 'labelSelector=test%3Dspread';
  const whole = (await second.get(`${all}?${selector}`)).json<List>();
  t.is(whole.items.length, 60);
  // Written by one server, read by the other, at once.
  t.deepEqual(whole.items.map(keyOf), whole.items.map(keyOf).toSorted());

  const events: {type: string; object: Item}[] = [];
  const watching = (async () => {
    for await (const event of second.watch(`${all}?watch=1&${selector}&resourceVersion=${whole.metadata.resourceVersion}`)) {
      events.push(event as never);
    }
  })().catch(() => 'the server has ended');

  // Pages by both servers in turn, while objects come and go behind and before them.
  const pages: string[] = [];
  let token: string | undefined;
  let left: number | undefined;
  const written: string[] = [];
  for (let page = 0; page === 0 || token !== undefined; page++) {
    const client = page % 2 === 0 ? first : second;
    const text = `${all}?limit=50${token === undefined ? '' : `&continue=${encodeURIComponent(token)}`}`;
    const {items, metadata} = (await client.get(text)).json<List>();
    if (left !== undefined) t.is(left, items.length + (metadata.remainingItemCount ?? 0), 'what remained is what comes');
    pages.push(...items.filter(({metadata: {name}}) => /^[a-e]$/.test(name)).map(keyOf));
    [token, left] = [metadata.continue, metadata.remainingItemCount];
    for (const [index, space] of spaces.entries()) {
      const other = index % 2 === 0 ? first : second;
      t.is((await create(other, space, `new-${page}`)).status, 201);
      written.push(`ADDED ${space}/new-${page}`);
      t.is((await other.delete(`/api/v1/namespaces/${space}/configmaps/${'abcde'[page % 5]}`)).status, page < 5 ? 200 : 404);
      if (page < 5) written.push(`DELETED ${space}/${'abcde'[page % 5]}`);
    }
  }
  t.deepEqual(pages, whole.items.map(keyOf), 'all pages are of one version');
  await until('the watch has all changes', () => events.length >= written.length);
  // In the order in which two servers were asked, one request after the other, in many namespaces.
  t.deepEqual(
    events.map(({type, object}) => `${type} ${keyOf(object)}`),
    written,
  );
  const versions = events.map(({object}) => BigInt(object.metadata.resourceVersion));
  t.true(versions.every((version, index) => index === 0 || version > versions[index - 1]!));

  // An earlier version is served by both, as it was.
  const exact = `${all}?${selector}&resourceVersion=${whole.metadata.resourceVersion}&resourceVersionMatch=Exact&limit=500`;
  for (const client of [first, second]) t.deepEqual((await client.get(exact)).json<List>().items.map(keyOf), whole.items.map(keyOf));
  await Promise.all(servers.map((server) => server.stop()));
  await watching;
});
