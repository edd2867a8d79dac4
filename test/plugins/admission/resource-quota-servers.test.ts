import test from 'ava';
import {startTestServer, type TestClient} from '@orch-api/orch/testing';
import {eventually} from '../../helpers/eventually.js';
import {createQuota, usedOf} from '../../helpers/quotas.js';
import {Random} from '../../helpers/random.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {startTwoServers} from '../../helpers/two-servers.js';

const seed = Number(process.env.ORCH_TEST_SEED ?? 20_260_103);
const base = '/api/v1/namespaces/default';

async function created(clients: readonly TestClient[], resource: string, bodies: readonly object[]): Promise<number> {
  const answers = await Promise.all(
    bodies.map(async (body, index) => (await clients[index % clients.length]!.post(`${base}/${resource}`, body)).status),
  );
  const other = answers.filter((status) => status !== 201 && status !== 403);
  if (other.length > 0) throw new Error(`statuses ${other.join(', ')}`);
  return answers.filter((status) => status === 201).length;
}

const pods = (count: number) =>
  Array.from({length: count}, (_, index) => ({metadata: {name: `p${index}`}, spec: {containers: [{name: 'c', image: 'x'}]}}));

const countOf = async (client: TestClient, resource: string) =>
  (await client.get(`${base}/${resource}`)).json<{items: object[]}>().items.length;

test('[B-ADM-22] of 100 pods created at once on two servers a quota of 10 leaves exactly 10', async (t) => {
  const servers = await startTwoServers(t);
  const clients = servers.map(({client}) => client);
  const quota = await createQuota(clients[0]!, 'default', 'ten', {pods: '10', 'count/pods': '20'});
  t.is(await created(clients, 'pods', pods(100)), 10);
  for (const client of clients) {
    t.is(await countOf(client, 'pods'), 10);
    t.deepEqual(await usedOf(client, quota), {pods: '10', 'count/pods': '10'});
  }
});

test('[B-ADM-22] of 100 pods created at once on the embedded store a quota of 10 leaves exactly 10, also after a restart', async (t) => {
  const dataDir = tempFolder(t);
  const options = {store: 'embedded', dataDir};
  const first = await startTestServer(options);
  const quota = await createQuota(first.client, 'default', 'ten', {pods: '10'});
  t.is(await created([first.client], 'pods', pods(100)), 10);
  t.deepEqual(await usedOf(first.client, quota), {pods: '10'});
  await first.stop();
  const again = await startTestServer(options);
  t.teardown(() => again.stop());
  t.is((await again.client.post(`${base}/pods`, {...pods(1)[0]!, metadata: {name: 'more'}})).status, 403);
  t.is((await again.client.delete(`${base}/pods?gracePeriodSeconds=0`)).status, 200);
  await usedOf(again.client, quota, (used) => used['pods'] === '0');
  t.is(await created([again.client], 'pods', pods(11)), 10);
});

test('what is deleted on one server makes room on the other', async (t) => {
  const [first, second] = await startTwoServers(t);
  const quota = await createQuota(first.client, 'default', 'q', {configmaps: '1'});
  for (let round = 0; round < 5; round++) {
    const [maker, remover] = round % 2 === 0 ? [first, second] : [second, first];
    t.is((await maker.client.post(`${base}/configmaps`, {metadata: {name: `m${round}`}})).status, 201);
    t.is((await remover.client.post(`${base}/configmaps`, {metadata: {name: 'other'}})).status, 403);
    t.is((await remover.client.delete(`${base}/configmaps/m${round}`)).status, 200);
    await usedOf(maker.client, quota, (used) => used['configmaps'] === '0');
  }
});

/** Amounts of a claim in Gi. */
const sizes = [1, 2, 3];

test('[B-ADM-22] random creates, changes and deletes on two servers never exceed a quota, and it ends at what there is', async (t) => {
  t.log(`seed ${seed}`);
  const servers = await startTwoServers(t, {configuration: {plugins: {'resource-quota-controller': {config: {settleMilliseconds: 3000}}}}});
  const hard = {persistentvolumeclaims: '8', 'requests.storage': '12Gi', services: '6', 'services.nodeports': '5', 'count/configmaps': '7'};
  const quota = await createQuota(servers[0].client, 'default', 'q', hard);
  const counts = {created: 0, refused: 0, deleted: 0};
  const bounds = Object.entries(hard);
  const amount = (text = '0') => Number(text.replace('Gi', ''));

  const abort = new AbortController();
  const above: string[] = [];
  let states = 0;
  const watcher = (async () => {
    const {client} = servers[1];
    for await (const {object} of client.watch(`${base}/resourcequotas?watch=1`, {signal: abort.signal})) {
      const {used = {}} = (object as unknown as {status: {used?: Record<string, string>}}).status;
      states++;
      for (const [name, bound] of bounds) if (amount(used[name]) > amount(bound)) above.push(`${name}=${used[name]}`);
    }
  })();

  const writer = async (number: number): Promise<void> => {
    const random = new Random(seed + number);
    const own: {kind: string; name: string}[] = [];
    for (let step = 0; step < 35; step++) {
      const {client} = random.pick(servers);
      const type = random.pick(['ClusterIP', 'NodePort']);
      if (own.length > 0 && random.chance(0.5)) {
        const {kind, name} = random.pick(own);
        const path = `${base}/${kind}/${name}`;
        const isChange = kind === 'services' && random.chance(0.5);
        const {status} = await (isChange ? client.patch(path, {spec: {type}}) : client.delete(path));
        if (status === 403 && isChange) counts.refused++;
        else if (status !== 200) throw new Error(`${isChange ? 'change' : 'delete'} of ${path}: ${status}`);
        if (isChange) continue;
        counts.deleted++;
        own.splice(
          own.findIndex((one) => one.kind === kind && one.name === name),
          1,
        );
        continue;
      }
      const kind = random.pick(['configmaps', 'services', 'persistentvolumeclaims']);
      const storage = `${random.pick(sizes)}Gi`;
      const specs: Record<string, object> = {
        services: {spec: {type, ports: [{port: 80}], selector: {a: 'b'}}},
        persistentvolumeclaims: {spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage}}, storageClassName: ''}},
      };
      const name = `x${number}-${step}`;
      // One in ten meets a name that is taken: it has been charged when that turns out.
      const isTaken = random.chance(0.1) && own.some((one) => one.kind === kind);
      const body = {metadata: {name: isTaken ? own.find((one) => one.kind === kind)!.name : name}, ...specs[kind]};
      const {status} = await client.post(`${base}/${kind}`, body);
      if (status === 201) {
        counts.created++;
        own.push({kind, name});
      } else if (status === 403) counts.refused++;
      else if (status !== 409 || !isTaken) throw new Error(`create of ${kind}: ${status}`);
    }
  };
  await Promise.all(Array.from({length: 8}, (_, number) => writer(number)));
  abort.abort();
  await watcher;
  t.deepEqual(above, [], 'never above');
  t.true(states > 30, `${states} states`);
  t.true(counts.created > 25 && counts.deleted > 10 && counts.refused > 5, JSON.stringify(counts));

  const {client} = servers[0];
  interface Item {
    spec: {type?: string; resources?: {requests: {storage: string}}};
  }
  const items = async (resource: string) => (await client.get(`${base}/${resource}`)).json<{items: Item[]}>().items;
  const there = async (): Promise<Record<string, number>> => {
    const [claims, services, maps] = await Promise.all(['persistentvolumeclaims', 'services', 'configmaps'].map(items));
    return {
      persistentvolumeclaims: claims!.length,
      'requests.storage': claims!.reduce((sum, {spec}) => sum + amount(spec.resources!.requests.storage), 0),
      services: services!.length,
      'services.nodeports': services!.filter(({spec}) => spec.type === 'NodePort').length,
      'count/configmaps': maps!.length,
    };
  };
  const look = async () => {
    const [found, used] = [await there(), await usedOf(client, quota)];
    return bounds.map(([name]) => ({name, found: found[name]!, used: amount(used[name])}));
  };
  const end = await eventually(look, (all) => all.every(({found, used}) => found === used));
  for (const {name, found} of end) t.true(found <= amount(hard[name as keyof typeof hard]), `${name}: ${found}`);
});
