import test from 'ava';
import {closeBrowser, inBrowser} from '../../helpers/chromium.js';
import {consoleKinds, consoleServer} from '../../helpers/console-servers.js';
import {adminPage} from '../../helpers/console-page.js';

test.after.always(closeBrowser);

const maps = '/api/v1/namespaces/default/configmaps';
const place = 'object/core/configmaps/default/settings';

for (const kind of consoleKinds) {
  const where = `(${kind.store}, ${kind.platform})`;

  inBrowser(`the changes of the last minutes are shown version by version, and more as they come ${where}`, async (t) => {
    const server = await consoleServer(t, kind);
    await server.client.post(maps, {metadata: {name: 'settings'}, data: {colour: 'blue'}});
    await server.client.patch(`${maps}/settings?fieldManager=painter`, {data: {colour: 'red'}});
    const {page, complaints} = await adminPage(t, server, `${place}?tab=changes`);
    const versions = page.locator('ul.versions li');
    await versions.nth(1).waitFor();
    await page.locator('.cm-deletedChunk', {hasText: 'colour: blue'}).waitFor();
    await page.locator('.cm-changedLine', {hasText: 'colour: red'}).waitFor();
    t.regex(await versions.first().innerText(), /changed.*by painter/s);
    await server.client.patch(`${maps}/settings`, {data: {colour: 'green'}});
    await page.locator('.cm-changedLine', {hasText: 'colour: green'}).waitFor();
    await versions.nth(2).getByRole('button').click();
    await page.locator('.cm-changedLine', {hasText: 'colour: blue'}).waitFor();
    const address = page.url();
    t.regex(address, /version=\d+/);
    await server.client.delete(`${maps}/settings`);
    await page.getByText('Deleted', {exact: true}).waitFor();
    await versions.nth(3).waitFor();
    t.regex(await versions.first().innerText(), /deleted/);
    await page.goto(address);
    await page.locator('.cm-changedLine', {hasText: 'colour: blue'}).waitFor();
    t.is(await versions.count(), 4, 'what is gone has its changes too');
    t.deepEqual(complaints, []);
  });

  inBrowser(`owners and dependents of all degrees are a graph, which grows as they come ${where}`, async (t) => {
    const server = await consoleServer(t, kind);
    const make = async (name: string, owner?: {name: string; uid: string}) => {
      const ownerReferences = owner ? [{apiVersion: 'v1', kind: 'ConfigMap', ...owner}] : [];
      const made = await server.client.post(maps, {metadata: {name, ownerReferences}});
      return {name, uid: made.json<{metadata: {uid: string}}>().metadata.uid};
    };
    const root = await make('root');
    const middle = await make('settings', root);
    const child = await make('child', middle);
    const {page, complaints} = await adminPage(t, server, `${place}?tab=owners`);
    await page.getByText('It has 1 owner and 1 dependent; 3 objects in all.').waitFor();
    t.is(await page.locator('svg.owners path').count(), 2);
    await make('grandchild', child);
    await page.getByRole('link', {name: 'ConfigMap grandchild'}).waitFor();
    const xOf = async (name: string) =>
      Number(await page.locator('svg.owners a', {hasText: name}).locator('rect').first().getAttribute('x'));
    t.true((await xOf('ConfigMap root')) < (await xOf('ConfigMap settings')));
    t.true((await xOf('ConfigMap settings')) < (await xOf('ConfigMap grandchild')));
    await page.getByRole('link', {name: 'ConfigMap child'}).click();
    await page.getByRole('heading', {name: 'ConfigMap default/child'}).waitFor();
    await page.getByText('It has 1 owner and 1 dependent; 4 objects in all.').waitFor();
    t.deepEqual(complaints, []);
  });

  inBrowser(`a refusal leads to why: what each part of the server said ${where}`, async (t) => {
    const server = await consoleServer(t, kind, {enableAdmissionPlugins: ['AlwaysDeny']});
    const {page, complaints} = await adminPage(t, server, 'objects/core/configmaps?namespace=default');
    await page.getByRole('button', {name: 'Create'}).click();
    const dialog = page.getByRole('dialog', {name: 'Create ConfigMap'});
    await dialog.locator('.cm-content').click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: default\n');
    await dialog.getByRole('button', {name: 'Dry run'}).click();
    await dialog.getByRole('link', {name: 'Why?'}).click();
    const row = page.locator('tr', {hasText: 'AlwaysDeny'});
    await row.getByText('denied').waitFor();
    t.true((await page.locator('tr', {hasText: 'Controller'}).count()) > 1);
    await page.getByText('allowed', {exact: false}).first().waitFor();
    await page.getByRole('link', {name: 'All requests'}).click();
    await page.locator('tr', {hasText: `POST`}).first().waitFor();
    await page.getByLabel('Slow', {exact: true}).check();
    await page.waitForURL(/kind=slow/);
    t.deepEqual(complaints, []);
  });
}
