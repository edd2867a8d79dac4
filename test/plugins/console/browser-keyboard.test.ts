import test, {type ExecutionContext} from 'ava';
import type {Page} from 'playwright-core';
import {closeBrowser, inBrowser} from '../../helpers/chromium.js';
import {adminPage} from '../../helpers/console-page.js';
import {consoleKinds, consoleServer} from '../../helpers/console-servers.js';

test.after.always(closeBrowser);

const maps = '/api/v1/namespaces/default/configmaps';
/** Views, and whether they have a field that filters. */
const views = [
  ['types', true],
  ['objects/core/configmaps?namespace=default', true],
  ['object/core/configmaps/default/settings', false],
  ['cluster', false],
  ['access', false],
  ['why', false],
  ['playground', false],
  ['server', false],
  ['server?tab=flags', true],
] as const;

const palette = (page: Page) => page.getByRole('combobox', {name: 'Type or view'});

/** Presses Tab, or with Shift, until the focus is where it should be. */
async function tabTo(t: ExecutionContext, page: Page, name: string, key = 'Tab'): Promise<void> {
  const wanted = page.getByRole('button', {name, exact: true});
  for (let pressed = 0; pressed < 60; pressed += 1) {
    if (await wanted.evaluate((element) => element.matches(':focus'))) return;
    await page.keyboard.press(key);
  }
  t.fail(`${name} is not reached by ${key}`);
}

for (const kind of consoleKinds) {
  const where = `(${kind.store}, ${kind.platform})`;

  inBrowser(`the keys : and / lead from every view to every other ${where}`, async (t) => {
    const server = await consoleServer(t, kind);
    await server.client.post('/api/v1/nodes', {metadata: {name: 'node-1'}});
    await server.client.post(maps, {metadata: {name: 'settings'}});
    const {page, complaints} = await adminPage(t, server, 'types');
    for (const [view, hasFilter] of views) {
      await page.goto(`${server.url}/console/${view}`);
      await page.locator('main h1').waitFor();
      await page.waitForLoadState('networkidle');
      // It comes with what it filters.
      if (hasFilter) await page.locator('[data-filter]').waitFor();
      await page.keyboard.press(':');
      await palette(page).waitFor();
      await page.keyboard.press('Escape');
      await palette(page).waitFor({state: 'detached'});
      await page.keyboard.press('/');
      if (hasFilter) await page.locator('[data-filter]:focus').waitFor();
      else await palette(page).waitFor();
      await page.keyboard.press('Escape');
      t.is(await palette(page).count(), 0, view);
    }
    for (const [typed, heading] of [
      ['acc', 'Access'],
      ['clu', 'Cluster'],
      ['deploy', 'deployments apps'],
      ['why', 'Why'],
      ['cm', 'configmaps'],
    ] as const) {
      await page.locator('main h1').waitFor();
      await page.keyboard.press(':');
      await palette(page).fill(typed);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', {level: 1, name: heading}).waitFor();
    }
    t.deepEqual(complaints, []);
  });

  inBrowser(`an object is found, edited and written with the keyboard alone ${where}`, async (t) => {
    const server = await consoleServer(t, kind);
    for (const name of ['first', 'settings']) await server.client.post(maps, {metadata: {name}, data: {colour: 'blue'}});
    const {page, complaints} = await adminPage(t, server, 'types?namespace=default');
    // Keys pressed before there is a view go nowhere.
    await page.locator('main h1').waitFor();
    await page.waitForLoadState('networkidle');
    await page.keyboard.press(':');
    await palette(page).waitFor();
    await page.keyboard.type('configm');
    await page.keyboard.press('Enter');
    await page.getByRole('link', {name: 'settings', exact: true}).waitFor();
    await page.keyboard.press('End');
    await page.locator('tr.current', {hasText: 'settings'}).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', {name: 'ConfigMap default/settings'}).waitFor();
    await page.locator('.cm-content', {hasText: 'colour: blue'}).waitFor();
    await tabTo(t, page, 'Edit');
    await page.keyboard.press('Enter');
    await page.getByLabel('The object as YAML, edited').waitFor();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.insertText('\nimmutable: true\n');
    await tabTo(t, page, 'Review changes', 'Shift+Tab');
    await page.keyboard.press('Enter');
    const review = page.getByRole('dialog', {name: 'What would change'});
    await review.locator('.cm-changedLine', {hasText: 'immutable: true'}).waitFor();
    await tabTo(t, page, 'Write');
    await page.keyboard.press('Enter');
    await review.waitFor({state: 'detached'});
    t.is((await server.client.get(`${maps}/settings`)).json<{immutable: boolean}>().immutable, true);
    t.deepEqual(complaints, []);
  });
}
