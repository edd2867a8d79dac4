import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {closeBrowser, inBrowser} from '../../helpers/chromium.js';
import {adminPage} from '../../helpers/console-page.js';
import {consoleKinds, consoleServer} from '../../helpers/console-servers.js';
import {tempFolder} from '../../helpers/temp-folder.js';

test.after.always(closeBrowser);

const maps = '/api/v1/namespaces/default/configmaps';
const list = 'objects/core/configmaps?namespace=default';

async function make(server: TestServer, names: readonly string[], more: object = {}): Promise<void> {
  const open = names[Symbol.iterator]();
  const work = async () => {
    for (const name of open) await server.client.post(maps, {metadata: {name, ...more}});
  };
  await Promise.all(Array.from({length: 20}, work));
}

for (const kind of consoleKinds) {
  const where = `(${kind.store}, ${kind.platform})`;

  inBrowser(`a list shows what comes, changes and goes, by the columns of the server ${where}`, async (t) => {
    const server = await consoleServer(t, kind);
    await make(server, ['one', 'two']);
    const {page, complaints} = await adminPage(t, server, list);
    await page.getByRole('link', {name: 'one', exact: true}).waitFor();
    t.deepEqual(await page.locator('.rows thead th').allInnerTexts(), ['', 'Name', 'Data', 'Age']);
    await make(server, ['three']);
    await page.getByRole('link', {name: 'three'}).waitFor();
    t.deepEqual(await page.locator('.rows tbody a').allInnerTexts(), ['one', 'three', 'two']);
    await server.client.patch(`${maps}/two`, {data: {a: 'b', c: 'd'}});
    await page.locator('.rows tbody tr', {hasText: 'two'}).locator('td', {hasText: /^2$/}).waitFor();
    await server.client.delete(`${maps}/one`);
    await page.getByRole('link', {name: 'one', exact: true}).waitFor({state: 'detached'});
    t.deepEqual(complaints, []);
  });

  inBrowser(`filters and selectors are part of the address, and the address leads to the same list ${where}`, async (t) => {
    const server = await consoleServer(t, kind);
    await make(server, ['apple', 'cherry'], {labels: {tier: 'front'}});
    await make(server, ['banana']);
    const {page} = await adminPage(t, server, list);
    await page.getByRole('link', {name: 'banana'}).waitFor();
    await page.getByLabel('Label selector').fill('tier=front');
    await page.keyboard.press('Enter');
    await page.getByRole('link', {name: 'banana'}).waitFor({state: 'detached'});
    await page.locator('.rows').focus();
    await page.keyboard.press('/');
    await page.keyboard.type('cher');
    await page.getByRole('link', {name: 'apple'}).waitFor({state: 'detached'});
    t.deepEqual(await page.locator('.rows tbody a').allInnerTexts(), ['cherry']);
    const {page: second} = await adminPage(t, server, page.url().slice(`${server.url}/console/`.length));
    await second.getByRole('link', {name: 'cherry'}).waitFor();
    t.deepEqual(await second.locator('.rows tbody a').allInnerTexts(), ['cherry']);
  });

  inBrowser(`a list without rows says why it has none ${where}`, async (t) => {
    const server = await consoleServer(t, kind);
    const {page} = await adminPage(t, server, 'objects/core/configmaps?namespace=nowhere');
    await page.getByText('There are no configmaps in the namespace nowhere.').waitFor();
    await page.getByLabel('Label selector').fill('tier=front');
    await page.keyboard.press('Enter');
    await page.getByText('No object fits the selectors.').waitFor();
    await page.getByLabel('Label selector').fill('');
    await page.keyboard.press('Enter');
    await page.getByLabel('Namespace', {exact: false}).first().fill('default');
    await page.keyboard.press('Enter');
    await make(server, ['one']);
    await page.getByRole('link', {name: 'one'}).waitFor();
    await page.getByLabel('Filter rows').fill('two');
    await page.getByText('No row has all these words.').waitFor();
    await make(server, ['two']);
    await page.getByRole('link', {name: 'two'}).waitFor();
    t.pass();
  });

  inBrowser(`what is being typed into a field stays when the list changes meanwhile ${where}`, async (t) => {
    const server = await consoleServer(t, kind);
    await make(server, ['one'], {labels: {tier: 'front'}});
    const {page} = await adminPage(t, server, list);
    await page.getByRole('link', {name: 'one'}).waitFor();
    await page.getByLabel('Label selector').fill('tier=front');
    await make(server, ['two']);
    await page.getByRole('link', {name: 'two'}).waitFor();
    t.is(await page.getByLabel('Label selector').inputValue(), 'tier=front');
    await page.keyboard.press('Enter');
    await page.getByRole('link', {name: 'two'}).waitFor({state: 'detached'});
    t.true(page.url().includes('labelSelector=tier%3Dfront'), page.url());
  });

  inBrowser(`several that are selected get a label and are deleted, each after a dry run ${where}`, async (t) => {
    const server = await consoleServer(t, kind);
    await make(server, ['a', 'b', 'kept']);
    await server.client.patch(`${maps}/b`, {metadata: {finalizers: ['example.com/keep']}});
    const {page} = await adminPage(t, server, list);
    await page.getByLabel('Select a', {exact: true}).check();
    await page.getByLabel('Select b', {exact: true}).check();
    await page.getByRole('button', {name: 'Label', exact: true}).click();
    await page.getByLabel('Labels, as in').fill('tier=front not/a/label=x');
    await page.getByRole('button', {name: 'Dry run'}).click();
    await page.getByText('The dry run was refused for 2 of 2.').waitFor();
    await page.getByRole('button', {name: 'Cancel'}).click();
    await page.getByRole('button', {name: 'Label', exact: true}).click();
    await page.getByLabel('Labels, as in').fill('tier=front');
    await page.getByRole('button', {name: 'Dry run'}).click();
    await page.getByText('The dry run went well for all 2.').waitFor();
    const labelsOf = async (name: string) =>
      (await server.client.get(`${maps}/${name}`)).json<{metadata: {labels?: object}}>().metadata.labels;
    t.is(await labelsOf('a'), undefined, 'the dry run changed nothing');
    await page.getByRole('button', {name: 'Label 2'}).click();
    await page.getByText('Done: 2.').waitFor();
    t.deepEqual(await labelsOf('a'), {tier: 'front'});
    await page.getByRole('button', {name: 'Close', exact: true}).last().click();
    await page.getByRole('button', {name: 'Delete', exact: true}).click();
    await page.getByText('The dry run went well for all 2.').waitFor();
    t.is((await server.client.get(`${maps}/a`)).status, 200);
    await page.getByRole('button', {name: 'Delete 2'}).click();
    await page.getByText('Done: 2.').waitFor();
    t.is((await server.client.get(`${maps}/a`)).status, 404);
    t.is((await server.client.get(`${maps}/kept`)).status, 200);
    await page.getByRole('button', {name: 'Close', exact: true}).last().click();
    await page.locator('.rows tr.deleting', {hasText: 'b'}).waitFor();
  });

  inBrowser(`of many rows those in sight exist, and the keys lead to the last ${where}`, async (t) => {
    const server = await consoleServer(t, kind);
    await make(
      server,
      Array.from({length: 2500}, (_, index) => `map-${String(index).padStart(5, '0')}`),
    );
    const {page} = await adminPage(t, server, list);
    await page.getByText('2500', {exact: true}).waitFor();
    t.true((await page.locator('.rows tbody tr').count()) < 80);
    await page.locator('.rows').focus();
    await page.keyboard.press('End');
    await page.getByRole('link', {name: 'map-02499'}).waitFor();
    t.true((await page.locator('.rows tbody tr').count()) < 80);
    await page.keyboard.press('k');
    await page.keyboard.press('x');
    await page.getByText('2500 · 1 selected').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', {name: 'ConfigMap default/map-02498'}).waitFor();
  });

  inBrowser(`what is focused in a row stays with its object, and is the table when the row is out of sight ${where}`, async (t) => {
    const server = await consoleServer(t, kind);
    await make(
      server,
      Array.from({length: 200}, (_, index) => `map-${String(index).padStart(3, '0')}`),
    );
    const {page} = await adminPage(t, server, list);
    const focused = () => page.evaluate<string>('document.activeElement.getAttribute("aria-label")');
    await page.getByLabel('Select map-005', {exact: true}).focus();
    await make(server, ['aaa']);
    await page.getByRole('link', {name: 'aaa'}).waitFor();
    t.is(await focused(), 'Select map-005');
    await page.locator('.rows').evaluate((element: {scrollTop: number}) => (element.scrollTop = 4000));
    await page.getByRole('link', {name: 'map-140'}).waitFor();
    t.is(await focused(), 'configmaps');
    await page.keyboard.press('Home');
    await page.getByRole('link', {name: 'aaa'}).waitFor();
    await page.keyboard.press('x');
    await page.getByText('201 · 1 selected').waitFor();
  });

  inBrowser(`the palette leads to a type by its short name ${where}`, async (t) => {
    const server = await consoleServer(t, kind);
    const {page} = await adminPage(t, server, 'server');
    await page.keyboard.press(':');
    await page.getByRole('combobox', {name: 'Type or view'}).fill('cm');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', {name: 'configmaps'}).waitFor();
    t.true(page.url().endsWith('/console/objects/core/configmaps'));
  });
}

inBrowser('a list goes on after a restart of the server', async (t) => {
  const dataDir = tempFolder(t);
  const first = await startTestServer({enableConsole: true, dataDir, store: 'embedded'});
  await make(first, ['before']);
  const {page} = await adminPage(t, first, list);
  await page.getByText('Live', {exact: true}).waitFor();
  const port = Number(new URL(first.url).port);
  await first.stop();
  await page.getByText('Connecting again').waitFor();
  await using second = await startTestServer({enableConsole: true, dataDir, store: 'embedded', securePort: port});
  await make(second, ['after']);
  await page.getByText('Live', {exact: true}).waitFor({timeout: 20_000});
  await page.getByRole('link', {name: 'after'}).waitFor();
  t.deepEqual(await page.locator('.rows tbody a').allInnerTexts(), ['after', 'before']);
});

inBrowser('a list begins anew when the history that it followed is gone', async (t) => {
  await using server = await startTestServer({enableConsole: true});
  await make(server, ['before']);
  const {page} = await adminPage(t, server, list);
  await page.getByText('Live', {exact: true}).waitFor();
  server.faults.loseHistory();
  await server.client.delete(`${maps}/before`);
  await make(server, ['after']);
  await page.getByRole('link', {name: 'after'}).waitFor();
  await page.getByRole('link', {name: 'before'}).waitFor({state: 'detached'});
  t.pass();
});

inBrowser('a list goes on after its watch was cut', async (t) => {
  await using server = await startTestServer({enableConsole: true});
  await make(server, ['before']);
  const {page, complaints} = await adminPage(t, server, list);
  await page.getByText('Live', {exact: true}).waitFor();
  const cut = page.waitForEvent('websocket');
  server.faults.cutWatches();
  await make(server, ['after']);
  await cut;
  await page.getByRole('link', {name: 'after'}).waitFor();
  await page.getByText('Live', {exact: true}).waitFor();
  t.deepEqual(complaints, []);
});
