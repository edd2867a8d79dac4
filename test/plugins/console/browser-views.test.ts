import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {closeBrowser, inBrowser} from '../../helpers/chromium.js';
import {adminPage} from '../../helpers/console-page.js';
import {tempFolder} from '../../helpers/temp-folder.js';

test.after.always(closeBrowser);

const example = 'dist/examples/console-views';
const maps = '/api/v1/namespaces/default/configmaps';

async function serverWith(t: ExecutionContext, plugin: string): Promise<TestServer> {
  const server = await startTestServer({plugins: [plugin], enableConsole: true, platform: 'kubernetes'});
  t.teardown(() => server.stop());
  await server.client.post(maps, {metadata: {name: 'settings'}, data: {colour: '<img src=x onerror=window.attacked=1>'}});
  return server;
}

/** A plugin with a card of this code. */
function pluginOf(t: ExecutionContext, code: string): string {
  const folder = join(tempFolder(t), 'hostile');
  mkdirSync(join(folder, 'views'), {recursive: true});
  const view = {
    module: './views/card.js',
    title: 'Card',
    permissions: [{verbs: ['list'], apiGroups: [''], resources: ['configmaps']}],
  };
  const manifest = {name: 'hostile', version: '0.1.0', kernel: '^0.1.0', contributes: {views: [view]}};
  writeFileSync(join(folder, 'plugin.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'views', 'card.js'), code);
  return folder;
}

inBrowser('a plugin brings a card and a page, which read as the user and lead to objects', async (t) => {
  const server = await serverWith(t, example);
  const {page, complaints} = await adminPage(t, server, 'types');
  const card = page.frameLocator('iframe[title="Config maps by namespace"]');
  await card.getByText('default: 1').waitFor();
  await page.goto(`${server.url}/console/objects/core/configmaps?namespace=default`);
  await page.getByRole('link', {name: 'Sizes'}).click();
  const view = page.frameLocator('iframe[title="Sizes"]');
  await view.getByRole('button', {name: /default\/settings/}).click();
  await page.getByRole('heading', {name: 'ConfigMap default/settings'}).waitFor();
  t.deepEqual(complaints, []);
});

inBrowser('a view reaches nothing of the console, asks for what it declares, and sends nothing elsewhere', async (t) => {
  const attempts = `
    const outcome = async (work) => { try { return 'got ' + JSON.stringify(await work()); } catch { return 'refused'; } };
    export default async ({root, client}) => {
      const target = {group: '', version: 'v1', resource: 'configmaps', namespace: 'default'};
      const said = {
        listed: await outcome(async () => (await client.get(target)).items.length),
        storage: await outcome(() => localStorage.length),
        cookie: await outcome(() => document.cookie),
        parent: await outcome(() => parent.document.title),
        session: await outcome(() => parent.localStorage.getItem('orch.console.session')),
        fetch: await outcome(() => fetch('/api/v1/namespaces').then(({status}) => status)),
        links: await outcome(() => fetch('/console/links', {method: 'POST'}).then(({status}) => status)),
        elsewhere: await outcome(() => fetch('https://127.0.0.1:1/', {mode: 'no-cors'}).then(() => 1)),
        secrets: await outcome(() => client.get({...target, resource: 'secrets'})),
        created: await outcome(() => client.create(target, {metadata: {name: 'made'}})),
        deleted: await outcome(() => client.delete({...target, name: 'settings'})),
        walked: await outcome(() => client.get({...target, namespace: '../../../console', name: '..'})),
        watched: await outcome(() => client.get({...target, query: {watch: '1'}})),
        evaluated: await outcome(() => eval('1')),
        imported: await outcome(() => import('data:text/javascript,export default 1')),
        framed: await outcome(() => top.location.href),
      };
      try { top.location = 'https://127.0.0.1:1/'; } catch {}
      root.textContent = JSON.stringify(said);
    };`;
  const server = await serverWith(t, pluginOf(t, attempts));
  const {page} = await adminPage(t, server, 'types');
  const text = page.frameLocator('iframe[title="Card"]').getByText('listed');
  await text.waitFor();
  const said = JSON.parse(await text.innerText()) as Record<string, string>;
  t.is(said['listed'], 'got 1');
  for (const [what, outcome] of Object.entries(said)) if (what !== 'listed') t.is(outcome, 'refused', what);
  t.is((await server.client.get(`${maps}/settings`)).status, 200);
  t.is((await server.client.get(`${maps}/made`)).status, 404);
  t.true(page.url().startsWith(server.url));
});

inBrowser('the document of a frame is of nobody when it is opened alone', async (t) => {
  const server = await serverWith(t, example);
  const {page} = await adminPage(t, server, 'types');
  await page.goto(`${server.url}/console/frame.html`);
  t.is(await page.evaluate<string>('self.origin'), 'null');
  t.is(await page.evaluate<string>('(() => { try { return String(localStorage.length); } catch { return "refused"; } })()'), 'refused');
});
