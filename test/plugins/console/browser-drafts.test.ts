import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import type {Page} from 'playwright-core';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {closeBrowser, inBrowser, openPage} from '../../helpers/chromium.js';
import {adminPage} from '../../helpers/console-page.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {userClient} from '../../helpers/user-client.js';

test.after.always(closeBrowser);

const maps = '/api/v1/namespaces/default/configmaps';
const place = 'object/core/configmaps/default/settings';

async function startShared(t: ExecutionContext): Promise<TestServer> {
  const tokens = join(tempFolder(t), 'tokens.csv');
  writeFileSync(tokens, 'a-token-of-jane,jane,1\na-token-of-paul,paul,2\n');
  const server = await startTestServer({enableConsole: true, platform: 'kubernetes', flags: {'token-auth-file': tokens}});
  t.teardown(() => server.stop());
  const rbac = 'rbac.authorization.k8s.io';
  await server.client.post(`/apis/${rbac}/v1/clusterroles`, {
    metadata: {name: 'opens-the-console'},
    rules: [{nonResourceURLs: ['/console/links'], verbs: ['post']}],
  });
  const subjects = ['jane', 'paul'].map((name) => ({apiGroup: rbac, kind: 'User', name}));
  for (const name of ['opens-the-console', 'edit'])
    await server.client.post(`/apis/${rbac}/v1/clusterrolebindings`, {
      metadata: {name},
      roleRef: {apiGroup: rbac, kind: 'ClusterRole', name},
      subjects,
    });
  await server.client.post(maps, {metadata: {name: 'settings'}, data: {colour: 'blue'}});
  return server;
}

async function edit(page: Page): Promise<void> {
  await page.getByRole('button', {name: 'Edit'}).click();
  await page.getByLabel('The object as YAML, edited').waitFor();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText('\nimmutable: true\n');
  await page.locator('.cm-content', {hasText: 'immutable: true'}).waitFor();
}

/** A page on which Jane edits, and whose session has ended. */
async function endedPage(t: ExecutionContext, server: TestServer): Promise<Page> {
  const jane = await userClient(t, server, 'jane');
  const {path} = (await jane.request('POST', '/console/links')).json<{path: string}>();
  const {page} = await openPage(t, server);
  await page.goto(`${server.url}${path}`);
  await page.locator('header .user', {hasText: 'jane'}).waitFor();
  await page.goto(`${server.url}/console/${place}`);
  await edit(page);
  await server.advance(9 * 3_600_000);
  await page.getByRole('button', {name: 'Review changes'}).click();
  await page.getByText('The server does not know you any more').waitFor();
  return page;
}

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Bearer token').fill(token);
  await page.getByRole('button', {name: 'Sign in with the token'}).click();
  await page.getByRole('heading', {name: 'ConfigMap default/settings'}).waitFor();
}

inBrowser('what somebody edits outlasts the session, and is written in the next one', async (t) => {
  const server = await startShared(t);
  const page = await endedPage(t, server);
  await signIn(page, 'a-token-of-jane');
  await page.locator('.cm-content', {hasText: 'immutable: true'}).waitFor();
  await page.getByRole('button', {name: 'Review changes'}).click();
  await page.getByRole('button', {name: 'Write'}).click();
  await page.getByRole('button', {name: 'Edit'}).waitFor();
  t.is((await server.client.get(`${maps}/settings`)).json<{immutable: boolean}>().immutable, true);
});

inBrowser('nobody else who signs in on the same page sees what was edited', async (t) => {
  const server = await startShared(t);
  const page = await endedPage(t, server);
  await signIn(page, 'a-token-of-paul');
  await page.locator('.cm-content', {hasText: 'colour: blue'}).waitFor();
  t.true(await page.getByRole('button', {name: 'Edit'}).isVisible());
  t.is(await page.locator('.cm-content', {hasText: 'immutable: true'}).count(), 0);
});

inBrowser('what is edited outlasts a look at another tab or view, until it is discarded', async (t) => {
  const server = await startShared(t);
  const {page} = await adminPage(t, server, place);
  await edit(page);
  await page.getByRole('tab', {name: 'Managed fields'}).click();
  await page.locator('.owned').waitFor();
  await page.getByRole('link', {name: 'Types'}).click();
  await page.getByRole('heading', {name: 'Types'}).waitFor();
  await page.goBack();
  await page.getByRole('tab', {name: 'YAML'}).click();
  await page.locator('.cm-content', {hasText: 'immutable: true'}).waitFor();
  await page.getByRole('button', {name: 'Discard'}).click();
  await page.getByRole('button', {name: 'Edit'}).click();
  await page.locator('.cm-content', {hasText: 'colour: blue'}).waitFor();
  t.is(await page.locator('.cm-content', {hasText: 'immutable: true'}).count(), 0);
});
