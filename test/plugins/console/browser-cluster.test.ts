import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {startTestServer, type ServerOptions, type TestServer} from '@orch-api/orch/testing';
import {axe} from '../../helpers/axe.js';
import {closeBrowser, inBrowser} from '../../helpers/chromium.js';
import {adminPage, tokenPage} from '../../helpers/console-page.js';
import {startRedis} from '../../helpers/redis-server.js';
import {tempFolder} from '../../helpers/temp-folder.js';

test.after.always(closeBrowser);

const pods = '/api/v1/namespaces/default/pods';
const apps = '/apis/apps/v1/namespaces/default';
const labels = {app: 'web'};
const container = {name: 'web', image: 'registry.example.com/web:1'};

const start = (options: ServerOptions = {}) =>
  startTestServer({platform: 'kubernetes', enableConsole: true, cluster: {nodes: '4:zones=a+b'}, ...options});

async function deploy(server: TestServer, replicas: number): Promise<void> {
  const template = {metadata: {labels, annotations: {'simulate.orch/log': 'hello from the pod'}}, spec: {containers: [container]}};
  const {status, body} = await server.client.post(`${apps}/deployments`, {
    metadata: {name: 'web'},
    spec: {replicas, selector: {matchLabels: labels}, template},
  });
  if (status !== 201) throw new Error(body.toString());
}

const faultOf = async (server: TestServer, node: string) =>
  (await server.client.get(`/api/v1/nodes/${node}`)).json<{metadata: {annotations: Record<string, string>}}>().metadata.annotations[
    'simulate.orch/fault'
  ];

async function seesCluster(t: ExecutionContext, server: TestServer): Promise<void> {
  await deploy(server, 6);
  const {page, complaints} = await adminPage(t, server, 'cluster');
  await page.getByText('4 nodes · 6 pods').waitFor();
  await page.locator('.pod.running').nth(5).waitFor();
  await page.getByRole('tab', {name: 'Rollouts'}).click();
  await page.locator('tr', {hasText: 'default/web'}).filter({hasText: '6/6'}).filter({hasText: 'done'}).waitFor();
  await server.client.patch(`${apps}/deployments/web`, {
    spec: {template: {metadata: {annotations: {'simulate.orch/pull': '1h'}}}},
  });
  await page.locator('tr', {hasText: 'default/web'}).filter({hasText: 'goes on'}).waitFor();
  t.deepEqual(complaints, []);
}

inBrowser('nodes, pods and rollouts are shown as they change', async (t) => {
  await using server = await start();
  await seesCluster(t, server);
});

inBrowser('on Redis and under names of its own as well', async (t) => {
  const redis = await startRedis(t);
  await using server = await start({platform: 'orch', store: `${redis.url}/0?prefix=console:`});
  await seesCluster(t, server);
});

inBrowser('a pod without a node has the words of the scheduler beside it', async (t) => {
  await using server = await start();
  await server.client.post(pods, {
    metadata: {name: 'large'},
    spec: {containers: [{...container, resources: {requests: {cpu: '100'}}}]},
  });
  const {page} = await adminPage(t, server, 'cluster?tab=scheduling');
  await page.locator('tr', {hasText: 'default/large'}).filter({hasText: '0/4 nodes are available: 4 Insufficient cpu.'}).waitFor();
  await server.client.delete(`${pods}/large`);
  await page.getByText('No pod waits for a node.').waitFor();
  t.pass();
});

inBrowser('faults of nodes, zones and images begin and end with a button', async (t) => {
  await using server = await start();
  const {page, complaints} = await adminPage(t, server, 'cluster');
  const down = page.getByRole('button', {name: 'down: node node-1'});
  await down.click();
  await page.getByRole('button', {name: 'down: node node-1', pressed: true}).waitFor();
  await page.getByRole('button', {name: 'full disk: node node-1'}).click();
  await page.getByRole('button', {name: 'full disk: node node-1', pressed: true}).waitFor();
  t.is(await faultOf(server, 'node-1'), 'down,disk');
  await down.click();
  await page.getByRole('button', {name: 'down: node node-1', pressed: false}).waitFor();
  t.is(await faultOf(server, 'node-1'), 'disk');
  await page.getByRole('tab', {name: 'Faults and clock'}).click();
  await page.getByRole('button', {name: 'down: zone b'}).click();
  await page.getByText('2 nodes, 2 down').waitFor();
  t.deepEqual([await faultOf(server, 'node-2'), await faultOf(server, 'node-4')], ['down', 'down']);
  await page.getByLabel('Images take').fill('20s');
  await page.getByRole('button', {name: 'Slow pulls', exact: true}).click();
  await page.getByRole('button', {name: 'End slow pulls'}).waitFor();
  const stages = async () => (await server.client.get('/apis/simulate.orch/v1alpha1/stages')).json<{items: {spec: object}[]}>().items;
  t.like((await stages())[0]!.spec, {behaviour: {pull: '20s'}});
  await page.getByRole('button', {name: 'End slow pulls'}).click();
  await page.getByRole('button', {name: 'Slow pulls', exact: true}).waitFor();
  t.deepEqual(await stages(), []);
  t.deepEqual(complaints, []);
});

inBrowser('the clock is put forward by a button', async (t) => {
  await using server = await start();
  await server.client.post(pods, {
    metadata: {name: 'sleeper', annotations: {'simulate.orch/after': '30m', 'simulate.orch/exit-code': '0'}},
    spec: {containers: [container], restartPolicy: 'Never'},
  });
  const {page} = await adminPage(t, server, 'cluster');
  await page.locator('.pod.running').waitFor();
  await page.getByRole('tab', {name: 'Faults and clock'}).click();
  await page.getByLabel('Put the clock forward by').fill('31m');
  await page.getByRole('button', {name: 'Advance'}).click();
  await page.getByText(/^It is .* now\.$/).waitFor();
  await page.getByRole('tab', {name: 'Nodes'}).click();
  await page.locator('.pod.completed').waitFor();
  t.pass();
});

inBrowser('the log of a simulated pod is shown as it grows', async (t) => {
  await using server = await start();
  await deploy(server, 1);
  const {page, complaints} = await adminPage(t, server, 'cluster');
  await page.locator('.pod.running').click();
  await page.getByRole('link', {name: 'Logs'}).click();
  await page.getByText('hello from the pod').waitFor();
  t.is(await page.getByLabel('Container').inputValue(), 'web');
  await axe(t, page, 'logs');
  t.deepEqual(complaints, []);
});

inBrowser('scripts in logs are texts', async (t) => {
  await using server = await start();
  const hostile = '"><img src=x onerror=window.attacked=1><script>window.attacked=1</script>';
  await server.client.post(pods, {
    metadata: {name: 'hostile', annotations: {'simulate.orch/log': hostile}},
    spec: {containers: [container]},
  });
  await server.settled();
  const {page, complaints} = await adminPage(t, server, `logs/default/hostile?previous=${encodeURIComponent(hostile)}`);
  await page.getByText('onerror=window.attacked').waitFor();
  t.is(await page.evaluate('window.attacked'), undefined);
  t.is(await page.locator('img, script:not([src]), iframe').count(), 0);
  t.deepEqual(complaints, []);
});

inBrowser('a user of one namespace sees its pods, may break nothing, and meets no storm of errors', async (t) => {
  const tokens = join(tempFolder(t), 'tokens.csv');
  writeFileSync(tokens, 'a-token-of-jane,jane,1,"viewers"\n');
  await using server = await start({flags: {'token-auth-file': tokens}});
  const rbac = 'rbac.authorization.k8s.io';
  await server.client.post(`/apis/${rbac}/v1/namespaces/default/rolebindings`, {
    metadata: {name: 'jane'},
    roleRef: {apiGroup: rbac, kind: 'ClusterRole', name: 'view'},
    subjects: [{apiGroup: rbac, kind: 'User', name: 'jane'}],
  });
  await server.client.post(`/apis/${rbac}/v1/clusterroles`, {
    metadata: {name: 'sees-nodes'},
    rules: [{apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'watch']}],
  });
  await server.client.post(`/apis/${rbac}/v1/clusterrolebindings`, {
    metadata: {name: 'sees-nodes'},
    roleRef: {apiGroup: rbac, kind: 'ClusterRole', name: 'sees-nodes'},
    subjects: [{apiGroup: rbac, kind: 'User', name: 'jane'}],
  });
  await deploy(server, 2);
  const {page, answers} = await tokenPage(t, server, 'a-token-of-jane', 'cluster?namespace=default');
  await page.getByText('4 nodes · 2 pods').waitFor();
  await page.getByRole('button', {name: 'down: node node-1'}).click();
  await page.getByText('cannot patch resource "nodes"').waitFor();
  t.is(await faultOf(server, 'node-1'), undefined);
  await page.getByRole('tab', {name: 'Rollouts'}).click();
  await page.locator('tr', {hasText: 'default/web'}).filter({hasText: '2/2'}).waitFor();
  await page.getByRole('tab', {name: 'Faults and clock'}).click();
  await page.getByText('cannot get path "/inspection/flags"').waitFor();
  await page.waitForTimeout(5000);
  const refused = answers.filter(({status}) => status === 403).map(({path}) => path);
  t.deepEqual(refused.toSorted(), [
    '/api/v1/namespaces',
    '/api/v1/nodes/node-1',
    '/apis/simulate.orch/v1alpha1/stages/console-slow-pulls',
    '/inspection/flags',
  ]);
});

inBrowser('a session that ends in the middle leads to signing in again, at the same part of the cluster', async (t) => {
  await using server = await start({flags: {'anonymous-auth': false}});
  const {page} = await adminPage(t, server, 'cluster?tab=faults');
  await page.getByRole('button', {name: 'Slow pulls', exact: true}).waitFor();
  await server.advance(9 * 3_600_000);
  await page.getByText('The server does not know you any more').waitFor();
  t.true(page.url().endsWith('/console/cluster?tab=faults'));
});

for (const colorScheme of ['light', 'dark'] as const)
  inBrowser(`screen readers and keyboards find their way through the cluster (${colorScheme})`, async (t) => {
    await using server = await start();
    await deploy(server, 3);
    await server.client.post(pods, {
      metadata: {name: 'large'},
      spec: {containers: [{...container, resources: {requests: {cpu: '100'}}}]},
    });
    const {page} = await adminPage(t, server, 'cluster', {colorScheme});
    for (const tab of ['', 'rollouts', 'scheduling', 'faults']) {
      await page.goto(`${server.url}/console/cluster?tab=${tab}`);
      await page.getByText('4 nodes · 4 pods').waitFor();
      await axe(t, page, `cluster ${tab}`);
    }
    await page.goto(`${server.url}/console/cluster`);
    await page.locator('.pod.running').first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', {name: 'Logs'}).waitFor();
    await axe(t, page, 'a pod');
    await page.keyboard.press('Escape');
    await page.getByRole('link', {name: 'Logs'}).waitFor({state: 'detached'});
  });
