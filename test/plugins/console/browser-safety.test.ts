import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {axe} from '../../helpers/axe.js';
import {closeBrowser, inBrowser, openPage} from '../../helpers/chromium.js';
import {adminPage, follow} from '../../helpers/console-page.js';
import {consoleKinds, consoleServer} from '../../helpers/console-servers.js';

test.after.always(closeBrowser);

const maps = '/api/v1/namespaces/default/configmaps';
const views = [
  'types',
  'server',
  'access',
  'cluster',
  'why',
  'why?kind=all',
  'playground/core/configmaps/default/settings',
  'playground/core/configmaps/default/settings?kind=policy',
  'objects/core/configmaps?namespace=default',
  'objects/core/configmaps?namespace=default&view=Sizes',
  'object/core/configmaps/default/settings',
  'object/core/configmaps/default/settings?tab=conditions',
  'object/core/configmaps/default/settings?tab=changes',
  'object/core/configmaps/default/settings?tab=owners',
  'object/core/configmaps/default/settings?tab=fields',
];

async function furnish(server: TestServer): Promise<void> {
  await server.client.post('/api/v1/nodes', {metadata: {name: 'node-1'}});
  await server.client.post(maps, {metadata: {name: 'settings', labels: {tier: 'front'}}, data: {colour: 'blue'}});
  await server.client.patch(`${maps}/settings`, {data: {colour: 'red'}});
  await server.client.post(maps, {metadata: {name: 'not a name'}});
}

const eachKind = consoleKinds.flatMap((kind) => (['light', 'dark'] as const).map((colorScheme) => ({kind, colorScheme})));

for (const {kind, colorScheme} of eachKind)
  inBrowser(
    `screen readers and keyboards find their way through every view (${kind.store}, ${kind.platform}, ${colorScheme})`,
    async (t) => {
      const server = await consoleServer(t, kind, {plugins: ['dist/examples/console-views']});
      await furnish(server);
      const out = await openPage(t, server, {colorScheme});
      await out.page.goto(`${server.url}/console/`);
      await out.page.getByLabel('Bearer token').waitFor();
      await axe(t, out.page, 'signing in');
      const opened = await adminPage(t, server, views[0]!, {colorScheme});
      const {page} = opened;
      t.is(await page.evaluate('document.documentElement.dataset.theme'), colorScheme);
      for (const view of views) {
        await follow(opened, view);
        await page.locator('main h1').waitFor();
        if (view === 'types' || view.endsWith('Sizes'))
          await page
            .frameLocator('iframe')
            .getByText(/^default/)
            .first()
            .waitFor();
        await axe(t, page, view);
      }
      await page.goto(`${server.url}/console/object/core/configmaps/default/settings`);
      await page.getByRole('button', {name: 'Edit'}).click();
      await page.getByLabel('The object as YAML, edited').waitFor();
      await axe(t, page, 'editing');
      await page.goto(`${server.url}/console/objects/core/configmaps?namespace=default`);
      await page.getByLabel('Select settings').check();
      await page.getByRole('button', {name: 'Delete', exact: true}).click();
      await page.getByText('The dry run went well').waitFor();
      await axe(t, page, 'deleting');
      await page.keyboard.press('Escape');
      await page.locator('.rows').focus();
      await page.keyboard.press(':');
      await page.getByRole('combobox', {name: 'Type or view'}).fill('pod');
      await axe(t, page, 'the palette');
      await page.keyboard.press('Escape');
      await page.getByRole('link', {name: 'Access'}).click();
      await page.getByLabel('Act as the user').fill('jane');
      await page.getByRole('button', {name: 'Act as this user'}).click();
      await page.getByText('You act as jane.').waitFor();
      await axe(t, page, 'acting as somebody else');
    },
  );

inBrowser('no page of another origin shows or uses the console', async (t) => {
  await using server = await startTestServer({enableConsole: true});
  await furnish(server);
  const {page} = await adminPage(t, server, 'types');
  // Of the same host, so that the browser sends the cookie if anything does.
  await using other = await startTestServer({enableConsole: true});
  await page.goto(`${other.url}/healthz`);
  t.true((await page.context().cookies(server.url)).length > 0, 'the cookie is there');
  const framed = await page.evaluate<string>(`new Promise((resolve) => {
    const frame = document.createElement('iframe');
    frame.src = '${server.url}/console/';
    frame.onload = () => { try { resolve(String(frame.contentDocument?.body?.innerText ?? 'another origin')); } catch { resolve('another origin'); } };
    document.body.append(frame);
  })`);
  t.is(framed, 'another origin');
  const frames = page.frames().filter((frame) => frame !== page.mainFrame());
  t.deepEqual(await Promise.all(frames.map((frame) => frame.locator('#console').count())), [0]);
  const attempt = (path: string, init: string) =>
    page.evaluate<string>(
      `fetch('${server.url}${path}', ${init}).then((response) => response.type + ' ' + response.status, () => 'refused')`,
    );
  t.is(await attempt(maps, `{credentials: 'include'}`), 'refused', 'what is read is not handed out');
  t.is(await attempt('/console/sessions', `{method: 'DELETE', credentials: 'include', mode: 'no-cors'}`), 'refused');
  await attempt(`${maps}/settings`, `{method: 'POST', credentials: 'include', mode: 'no-cors', body: '{}'}`);
  const socket = await page.evaluate<string>(`new Promise((resolve) => {
    const socket = new WebSocket('${server.url.replace('https', 'wss')}${maps}?watch=1');
    socket.onopen = () => resolve('open');
    socket.onerror = () => resolve('refused');
  })`);
  t.is(socket, 'refused');
  t.is((await server.client.get(`${maps}/settings`)).status, 200);
});

inBrowser('no view is wider than a window of 360 pixels', async (t) => {
  const server = await consoleServer(t, consoleKinds[0], {plugins: ['dist/examples/console-views']});
  await furnish(server);
  const opened = await adminPage(t, server, 'types', {viewport: {width: 360, height: 740}});
  for (const view of [...views, 'server?tab=flags', 'object/core/configmaps/default/missing']) {
    await follow(opened, view);
    await opened.page.locator('main h1').waitFor();
    t.is(await opened.page.evaluate('document.documentElement.scrollWidth'), 360, view);
  }
});

inBrowser('what is loaded first is small, and the editor comes with the first object', async (t) => {
  await using server = await startTestServer({enableConsole: true});
  await furnish(server);
  const sizes = new Map<string, number>();
  const {page} = await adminPage(t, server, 'types');
  page.on('response', (response) => {
    const {pathname} = new URL(response.url());
    if (pathname.startsWith('/console/assets/')) sizes.set(pathname, Number(response.headers()['content-length']));
  });
  await page.goto(`${server.url}/console/types`);
  await page.locator('tbody tr').first().waitFor();
  const first = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  t.true(first < 32_000, `${first} bytes`);
  t.false([...sizes.keys()].some((path) => path.includes('editor')));
  await page.goto(`${server.url}/console/object/core/configmaps/default/settings`);
  await page.locator('.cm-content').waitFor();
  t.true([...sizes.keys()].some((path) => path.includes('editor')));
});
