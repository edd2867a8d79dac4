import test, {type ExecutionContext} from 'ava';
import type {Page} from 'playwright-core';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {closeBrowser, inBrowser} from '../../helpers/chromium.js';
import {adminPage, follow} from '../../helpers/console-page.js';
import {startRedis} from '../../helpers/redis-server.js';
import {tempFolder} from '../../helpers/temp-folder.js';

test.after.always(closeBrowser);

const maps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
const settings = 'object/core/configmaps/default/settings';
const container = {name: 'web', image: 'registry.example.com/web:1'};

/** Views, and what each shows of what happens after the restart. */
const views: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  [settings]: (page) => page.locator('.cm-content', {hasText: 'colour: green'}).waitFor(),
  [`${settings}?tab=changes`]: (page) => page.locator('.cm-changedLine', {hasText: 'colour: green'}).waitFor(),
  [`${settings}?tab=conditions`]: (page) => page.getByText('painted after the restart').waitFor(),
  [`${settings}?tab=owners`]: (page) => page.getByRole('link', {name: 'ConfigMap owned'}).waitFor(),
  [`${settings}?tab=fields`]: (page) => page.locator('tr', {hasText: 'painter'}).waitFor(),
  'objects/core/configmaps?namespace=default': (page) => page.getByRole('link', {name: 'owned', exact: true}).waitFor(),
  cluster: (page) => page.locator('.pod.running').nth(1).waitFor(),
  'logs/default/first': async (page) => {
    await page.locator('.state.live').waitFor();
    await page.locator('pre.log', {hasText: 'hello from the pod'}).waitFor();
  },
  'why?kind=refused': (page) => page.locator('tr', {hasText: 'nothing-of-the-kind'}).waitFor(),
  types: (page) => page.getByRole('link', {name: 'widgets'}).waitFor(),
  access: async (page) => {
    await page.getByRole('button', {name: 'Ask', exact: true}).click();
    await page.getByText('You may get pods').waitFor();
  },
  'playground/core/configmaps/default/settings': async (page) => {
    await page.getByLabel('Expression', {exact: true}).fill('1 + 41');
    await page.locator('.result', {hasText: /^42$/}).waitFor();
  },
};

const run = (server: TestServer, name: string) =>
  server.client.post(pods, {
    metadata: {name, annotations: {'simulate.orch/log': 'hello from the pod'}},
    spec: {containers: [container]},
  });

async function changeAll({client}: TestServer, suffix: string): Promise<void> {
  await client.patch(`${maps}/settings?fieldManager=painter`, {data: {colour: 'green'}});
  const {uid} = (await client.get(`${maps}/settings`)).json<{metadata: {uid: string}}>().metadata;
  const owner = {apiVersion: 'v1', kind: 'ConfigMap', name: 'settings', uid};
  await client.post(maps, {metadata: {name: 'owned', ownerReferences: [owner]}});
  await client.post('/api/v1/namespaces/default/events', {
    metadata: {name: 'settings.1'},
    involvedObject: {...owner, namespace: 'default'},
    reason: 'Painted',
    message: 'painted after the restart',
    type: 'Normal',
    source: {component: 'painter'},
    lastTimestamp: new Date().toISOString(),
  });
  await client.get('/nothing-of-the-kind', {anonymous: true});
  await client.post(`/apis/apiextensions.${suffix}/v1/customresourcedefinitions`, {
    metadata: {name: 'widgets.example.com'},
    spec: {
      group: 'example.com',
      names: {plural: 'widgets', kind: 'Widget'},
      scope: 'Namespaced',
      versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object'}}}],
    },
  });
}

async function goesOn(t: ExecutionContext, platform: 'orch' | 'kubernetes', store: string): Promise<void> {
  const options = {enableConsole: true, platform, store, dataDir: tempFolder(t), cluster: {nodes: 2}} as const;
  const first = await startTestServer(options);
  let running: TestServer = first;
  t.teardown(() => running.stop());
  await first.client.post(maps, {metadata: {name: 'settings'}, data: {colour: 'blue'}});
  await run(first, 'first');
  await first.settled();
  const [start, ...others] = Object.keys(views);
  const {page, complaints} = await adminPage(t, first, start!);
  const pages = new Map([[start!, page]]);
  for (const view of others) {
    const opened = await page.context().newPage();
    opened.setDefaultTimeout(60_000);
    await opened.goto(`${first.url}/console/${view}`);
    await opened.locator('main h1').waitFor();
    pages.set(view, opened);
  }
  await pages.get('cluster')!.locator('.pod.running').waitFor();
  await pages.get('logs/default/first')!.locator('pre.log', {hasText: 'hello from the pod'}).waitFor();
  const port = Number(new URL(first.url).port);
  await first.stop();
  await pages.get('objects/core/configmaps?namespace=default')!.getByText('Connecting again').waitFor();
  await pages.get('logs/default/first')!.getByText('Connecting again').waitFor();
  running = await startTestServer({...options, securePort: port});
  t.is(running.url, first.url);
  await changeAll(running, platform === 'orch' ? 'orch' : 'k8s.io');
  await run(running, 'second');
  for (const [view, opened] of pages) {
    await t.notThrowsAsync(views[view]!(opened), view);
    t.is(await opened.getByLabel('Bearer token').count(), 0, `${view} is still signed in`);
  }
  t.deepEqual(complaints, []);
}

inBrowser('every view goes on after a restart of the server (embedded, kubernetes)', (t) => goesOn(t, 'kubernetes', 'embedded'));

inBrowser('every view goes on after a restart of the server (redis, orch)', async (t) => {
  const redis = await startRedis(t);
  await goesOn(t, 'orch', `${redis.url}/0?prefix=console:`);
});

inBrowser('while the store is gone each view says so, and goes on when it is back', async (t) => {
  const redis = await startRedis(t, {appendonly: true});
  await using server = await startTestServer({store: `${redis.url}/0`, enableConsole: true});
  await server.client.post(maps, {metadata: {name: 'settings'}, data: {colour: 'blue'}});
  const opened = await adminPage(t, server, 'types');
  const {page, complaints} = opened;
  await redis.kill();
  for (const view of ['objects/core/secrets', 'cluster', settings]) {
    await follow(opened, view);
    await t.notThrowsAsync(page.getByText('does not answer as it should').waitFor(), view);
  }
  await redis.start();
  await page.locator('.cm-content', {hasText: 'colour: blue'}).waitFor();
  await page.getByText('does not answer as it should').waitFor({state: 'detached'});
  t.deepEqual(complaints, []);
});
