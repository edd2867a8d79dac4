import test from 'ava';
import type {TestServer} from '@orch-api/orch/testing';
import type {Page} from 'playwright-core';
import {closeBrowser, inBrowser} from '../../helpers/chromium.js';
import {adminPage, follow} from '../../helpers/console-page.js';
import {consoleKinds, consoleServer} from '../../helpers/console-servers.js';

test.after.always(closeBrowser);

const maps = '/api/v1/namespaces/default/configmaps';
const place = 'object/core/configmaps/default/settings';

interface ConfigMap {
  readonly metadata: {readonly resourceVersion: string};
  readonly data: Readonly<Record<string, string>>;
}

const read = async (server: TestServer) => (await server.client.get(`${maps}/settings`)).json<ConfigMap>();

/** Replaces a part of the text that is edited. */
async function replaceText(page: Page, before: string | RegExp, after: string): Promise<void> {
  const content = page.getByLabel('The object as YAML, edited');
  await content.waitFor();
  const lines = await page.locator('.cm-line').allInnerTexts();
  await content.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(
    lines
      .map((line) => line.replace('\n', ''))
      .join('\n')
      .replace(before, after),
  );
}

for (const kind of consoleKinds) {
  const where = `(${kind.store}, ${kind.platform})`;

  inBrowser(`an object is edited: a dry run shows what would change before it is written ${where}`, async (t) => {
    const server = await consoleServer(t, kind);
    await server.client.post(maps, {metadata: {name: 'settings'}, data: {colour: 'blue'}});
    const {page, complaints} = await adminPage(t, server, place);
    await page.locator('.cm-content', {hasText: 'colour: blue'}).waitFor();
    await page.getByRole('button', {name: 'Edit'}).click();
    await replaceText(page, 'colour: blue', 'colour: red');
    await page.getByRole('button', {name: 'Review changes'}).click();
    const review = page.getByRole('dialog', {name: 'What would change'});
    await review.locator('.cm-deletedChunk', {hasText: 'colour: blue'}).waitFor();
    await review.locator('.cm-changedLine', {hasText: 'colour: red'}).waitFor();
    t.deepEqual((await read(server)).data, {colour: 'blue'}, 'the dry run changed nothing');
    await review.getByRole('button', {name: 'Write'}).click();
    await review.waitFor({state: 'detached'});
    await page.locator('.cm-content', {hasText: 'colour: red'}).waitFor();
    t.deepEqual((await read(server)).data, {colour: 'red'});
    t.deepEqual(complaints, []);
  });

  inBrowser(`objects are followed whatever is in their names ${where}`, async (t) => {
    const server = await consoleServer(t, kind);
    const group = `rbac.authorization.${kind.platform === 'orch' ? 'orch' : 'k8s.io'}`;
    const names = ['a+b&c=d?e#f', 'a,b\\c', 'with a space', 'system:a:b', '日本', '..x'];
    for (const name of names) t.is((await server.client.post(`/apis/${group}/v1/clusterroles`, {metadata: {name}, rules: []})).status, 201);
    const opened = await adminPage(t, server, 'types');
    const {page, complaints} = opened;
    for (const name of names) {
      await follow(opened, `objects/${group}/clusterroles?search=${encodeURIComponent(name)}`);
      const watched = page.waitForEvent('websocket', (socket) => socket.url().includes('metadata.name'));
      await page.getByRole('link', {name, exact: true}).click();
      await page.getByRole('heading', {name: `ClusterRole ${name}`}).waitFor();
      await page.locator('.cm-content', {hasText: 'kind: ClusterRole'}).waitFor();
      await watched;
      await server.client.patch(`/apis/${group}/v1/clusterroles/${encodeURIComponent(name)}`, {metadata: {labels: {seen: 'once'}}});
      await page.locator('.cm-content', {hasText: 'seen: once'}).waitFor();
    }
    t.deepEqual(complaints, []);
  });

  inBrowser(`what the server would refuse is said before anything is written, and the text stays ${where}`, async (t) => {
    const server = await consoleServer(t, kind);
    await server.client.post(maps, {metadata: {name: 'settings'}, data: {colour: 'blue'}});
    const {page} = await adminPage(t, server, place);
    await page.getByRole('button', {name: 'Edit'}).click();
    await replaceText(page, 'colour: blue', 'not a key!: blue');
    await page.getByRole('button', {name: 'Review changes'}).click();
    await page.getByRole('alert').getByText('Invalid (422)').waitFor();
    await page.locator('.cm-content', {hasText: 'not a key!'}).waitFor();
    t.pass();
  });

  inBrowser(`the schema of the type completes fields and marks what it does not know ${where}`, async (t) => {
    const server = await consoleServer(t, kind);
    await server.client.post(maps, {metadata: {name: 'settings'}, data: {colour: 'blue'}});
    const {page} = await adminPage(t, server, place);
    await page.getByRole('button', {name: 'Edit'}).click();
    await replaceText(page, /^data:/m, 'dato:');
    await page.locator('.cm-lintRange').first().waitFor();
    await page.locator('.cm-lintRange').first().hover();
    await page.getByText('unknown field "dato"').waitFor();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('imm');
    await page.locator('.cm-tooltip-autocomplete li', {hasText: 'immutable'}).click();
    await page.locator('.cm-content', {hasText: 'immutable:'}).waitFor();
    t.pass();
  });

  inBrowser(`changes of others are shown while one reads, and merged when one writes ${where}`, async (t) => {
    const server = await consoleServer(t, kind);
    await server.client.post(maps, {metadata: {name: 'settings'}, data: {colour: 'blue', size: 'small'}});
    const {page} = await adminPage(t, server, place);
    await page.locator('.cm-content', {hasText: 'size: small'}).waitFor();
    await server.client.patch(`${maps}/settings`, {data: {size: 'medium'}});
    await page.locator('.cm-content', {hasText: 'size: medium'}).waitFor();
    await page.getByRole('button', {name: 'Edit'}).click();
    await replaceText(page, 'colour: blue', 'colour: red');
    await server.client.patch(`${maps}/settings`, {data: {size: 'large'}});
    await page.getByText('Changed on the server since you began').waitFor();
    await page.getByRole('button', {name: 'Review changes'}).click();
    const merge = page.getByRole('dialog', {name: 'Somebody else was first'});
    await merge.getByText('This is both together').waitFor();
    await merge.getByRole('button', {name: 'Review the right side'}).click();
    const review = page.getByRole('dialog', {name: 'What would change'});
    await review.getByRole('button', {name: 'Write'}).click();
    await review.waitFor({state: 'detached'});
    await page.locator('.cm-content', {hasText: 'colour: red'}).waitFor();
    t.deepEqual((await read(server)).data, {colour: 'red', size: 'large'});
  });

  inBrowser(`who changed the same field is told so, and decides ${where}`, async (t) => {
    const server = await consoleServer(t, kind);
    await server.client.post(maps, {metadata: {name: 'settings'}, data: {colour: 'blue'}});
    const {page} = await adminPage(t, server, place);
    await page.getByRole('button', {name: 'Edit'}).click();
    await replaceText(page, 'colour: blue', 'colour: red');
    await server.client.patch(`${maps}/settings`, {data: {colour: 'green'}});
    await page.getByText('Changed on the server since you began').waitFor();
    await page.getByRole('button', {name: 'Review changes'}).click();
    await page.getByText('Both of you changed data.colour').waitFor();
    t.deepEqual((await read(server)).data, {colour: 'green'});
  });

  inBrowser(`owners, dependents, conditions, events and managers of an object are shown ${where}`, async (t) => {
    const server = await consoleServer(t, kind);
    const {metadata} = (await server.client.post(maps, {metadata: {name: 'settings'}})).json<{metadata: {uid: string}}>();
    const owner = {apiVersion: 'v1', kind: 'ConfigMap', name: 'settings', uid: metadata.uid};
    await server.client.post(maps, {metadata: {name: 'owned', ownerReferences: [owner]}});
    await server.client.post('/api/v1/namespaces/default/events', {
      metadata: {name: 'settings.1'},
      involvedObject: {...owner, namespace: 'default'},
      reason: 'Painted',
      message: 'somebody painted it',
      type: 'Normal',
      source: {component: 'painter'},
      firstTimestamp: new Date().toISOString(),
      lastTimestamp: new Date().toISOString(),
      count: 1,
    });
    const {page, complaints} = await adminPage(t, server, `${place}?tab=owners`);
    await page.getByRole('link', {name: 'ConfigMap owned'}).click();
    await page.getByRole('heading', {name: 'ConfigMap default/owned'}).waitFor();
    await page.getByRole('link', {name: 'ConfigMap settings'}).click();
    await page.getByRole('heading', {name: 'ConfigMap default/settings'}).waitFor();
    await page.getByRole('tab', {name: 'Conditions and events'}).click();
    await page.getByText('somebody painted it').waitFor();
    await page.getByText('The object has no conditions.').waitFor();
    await server.client.request('PATCH', `${maps}/settings?fieldManager=painter&force=true`, {
      body: {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'settings'}, data: {colour: 'blue'}},
      headers: {'content-type': 'application/apply-patch+yaml'},
    });
    await page.getByRole('tab', {name: 'Managed fields'}).click();
    const row = page.locator('tr', {hasText: 'painter'});
    await row.waitFor();
    const mark = await row.locator('.mark').innerText();
    t.is(await page.locator('.owned > div', {hasText: 'colour: "blue"'}).locator('.mark').innerText(), mark);
    t.is(await page.locator('.owned > div', {hasText: 'uid:'}).locator('.mark').count(), 0);
    t.deepEqual(complaints, []);
  });

  inBrowser(`what has replicas is scaled ${where}`, async (t) => {
    const server = await consoleServer(t, kind);
    const deployments = '/apis/apps/v1/namespaces/default/deployments';
    const labels = {app: 'web'};
    const made = await server.client.post(deployments, {
      metadata: {name: 'web'},
      spec: {
        replicas: 2,
        selector: {matchLabels: labels},
        template: {metadata: {labels}, spec: {containers: [{name: 'web', image: 'web'}]}},
      },
    });
    t.is(made.status, 201);
    const {page, complaints} = await adminPage(t, server, 'object/apps/deployments/default/web');
    await page.getByRole('button', {name: 'Scale'}).click();
    await page.getByLabel('Replicas, 2 now').fill('many');
    t.true(await page.getByRole('button', {name: 'Set replicas'}).isDisabled());
    await page.getByLabel('Replicas, 2 now').fill('5');
    await page.keyboard.press('Enter');
    await page.locator('.cm-content', {hasText: 'replicas: 5'}).waitFor();
    t.is((await server.client.get(`${deployments}/web/scale`)).json<{spec: {replicas: number}}>().spec.replicas, 5);
    t.deepEqual(complaints, []);
  });

  inBrowser(`an object is created after a dry run, and deleted ${where}`, async (t) => {
    const server = await consoleServer(t, kind);
    const {page} = await adminPage(t, server, 'objects/core/configmaps?namespace=default');
    await page.getByRole('button', {name: 'Create'}).click();
    const dialog = page.getByRole('dialog', {name: 'Create ConfigMap'});
    t.true(await dialog.getByRole('button', {name: 'Create'}).isDisabled());
    await dialog.locator('.cm-content').click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: default\ndata:\n  colour: blue\n',
    );
    await dialog.getByRole('button', {name: 'Dry run'}).click();
    await dialog.getByText('The dry run went well.').waitFor();
    t.is((await server.client.get(`${maps}/settings`)).status, 404);
    await dialog.getByRole('button', {name: 'Create'}).click();
    await page.getByRole('link', {name: 'settings'}).click();
    await page.getByRole('button', {name: 'Delete'}).click();
    await page.getByRole('button', {name: 'Delete 1'}).click();
    await page.getByText('Done: 1.').waitFor();
    await page.getByRole('button', {name: 'Close', exact: true}).last().click();
    await page.getByRole('heading', {name: 'configmaps'}).waitFor();
    t.is((await server.client.get(`${maps}/settings`)).status, 404);
  });
}
