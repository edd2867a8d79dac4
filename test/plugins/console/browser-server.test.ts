import {join} from 'node:path';
import {writeFileSync} from 'node:fs';
import test, {type ExecutionContext} from 'ava';
import {startTestServer, type ServerOptions, type TestServer} from '@orch-api/orch/testing';
import {auditedIntoFile} from '../../helpers/audit-log.js';
import {axe} from '../../helpers/axe.js';
import {closeBrowser, inBrowser} from '../../helpers/chromium.js';
import {adminPage, tokenPage} from '../../helpers/console-page.js';
import {startRedis} from '../../helpers/redis-server.js';
import {tempFolder} from '../../helpers/temp-folder.js';

test.after.always(closeBrowser);

/** Would run if it became markup anywhere. */
const hostile = '"><img src=x onerror=window.attacked=1><script>window.attacked=1</script>';
const maps = '/api/v1/namespaces/default/configmaps';
const tabs = ['', 'store', 'levels', 'slow', 'audit', 'plugins', 'flags'];

async function startAudited(t: ExecutionContext, options: ServerOptions = {}): Promise<TestServer> {
  const group = options.platform === 'kubernetes' ? 'audit.k8s.io' : 'audit.orch';
  const audited = auditedIntoFile(t, {rules: [{level: 'Metadata'}], omitStages: ['RequestReceived']}, {}, group);
  return startTestServer({enableConsole: true, ...audited.options, ...options});
}

inBrowser('the page of the server has its health, curves, store, levels, plugins and flags', async (t) => {
  await using server = await startAudited(t, {store: 'embedded', limits: {maxConnections: 77}});
  const {page, complaints} = await adminPage(t, server, 'server');
  await page.locator('.checks li.good', {hasText: 'store'}).first().waitFor();
  await page.locator('.charts figure').nth(7).waitFor();
  await page.getByRole('tab', {name: 'Store'}).click();
  await page
    .locator('tr', {hasText: 'Lineage'})
    .or(page.getByRole('heading', {name: 'Lineage'}))
    .waitFor();
  await page.locator('td', {hasText: 'followed'}).waitFor();
  t.is(await page.locator('h2', {hasText: 'Lineage'}).locator('+ table tbody tr').count(), 1);
  await page.locator('tr', {hasText: 'namespaces'}).waitFor();
  await page.getByRole('tab', {name: 'Priority levels'}).click();
  await page.locator('tr', {hasText: 'workload-low'}).waitFor();
  await page.getByRole('tab', {name: 'Plugins'}).click();
  await page.getByLabel('Filter plugins').fill('route /inspection/owners');
  await page.locator('details', {hasText: 'inspection'}).locator('summary').click();
  await page.getByText('route /inspection/audit').waitFor();
  t.is(await page.locator('details').count(), 1);
  await page.getByRole('tab', {name: 'Flags'}).click();
  await page.getByLabel('Filter flags').fill('max-connections');
  await page.locator('tr', {hasText: '--max-connections'}).filter({hasText: '77'}).filter({hasText: 'given'}).waitFor();
  t.true(page.url().endsWith('tab=flags'));
  t.deepEqual(complaints, []);
});

inBrowser('the audit log grows on the page, and can be held and filtered', async (t) => {
  await using server = await startAudited(t);
  const {page, complaints} = await adminPage(t, server, 'server?tab=audit');
  await page.getByLabel('Filter events').waitFor();
  await server.client.post(maps, {metadata: {name: 'seen'}});
  const row = page.locator('tr', {hasText: `create ${maps}`});
  await row.filter({hasText: '201'}).waitFor();
  await row.locator('summary').click();
  await row.getByText('authorization.orch/decision').waitFor();
  t.is(await page.locator('tr', {hasText: '/inspection/audit'}).count(), 0, 'what the page itself asks for is left out');
  await page.getByLabel('follow').uncheck();
  await server.client.delete(`${maps}/seen`);
  await page.waitForResponse((response) => response.url().includes('/inspection/audit'));
  await page.waitForResponse((response) => response.url().includes('/inspection/audit'));
  t.is(await page.locator('tr', {hasText: 'delete '}).count(), 0);
  await page.getByLabel('follow').check();
  await page.locator('tr', {hasText: `delete ${maps}/seen`}).waitFor();
  await page.getByLabel('Filter events').fill('delete');
  await row.waitFor({state: 'detached'});
  t.deepEqual(complaints, []);
});

inBrowser('scripts in requests are texts in the audit log', async (t) => {
  await using server = await startAudited(t);
  const {page, complaints} = await adminPage(t, server, 'server?tab=audit');
  await page.getByLabel('Filter events').waitFor();
  await server.client.get(`/${encodeURIComponent(hostile)}?x=${encodeURIComponent(hostile)}`, {
    headers: {'user-agent': hostile, 'impersonate-user': hostile},
  });
  const row = page.locator('tr', {hasText: 'onerror=window.attacked'}).first();
  await row.locator('summary').click();
  await row.locator('td', {hasText: hostile}).first().waitFor();
  await page.getByLabel('Filter events').fill(hostile);
  t.is(await page.evaluate('window.attacked'), undefined);
  t.is(await page.locator('img, script:not([src]), iframe').count(), 0);
  t.deepEqual(complaints, []);
});

inBrowser('a server without an audit log says so', async (t) => {
  await using server = await startTestServer({enableConsole: true});
  const {page} = await adminPage(t, server, 'server?tab=audit');
  await page.getByText('The server records no requests').waitFor();
  t.pass();
});

inBrowser('on Redis and under the names of Kubernetes the page shows the same', async (t) => {
  const redis = await startRedis(t);
  await using server = await startAudited(t, {platform: 'kubernetes', store: `${redis.url}/0?prefix=console:`});
  const {page, complaints} = await adminPage(t, server, 'server?tab=store');
  await page.locator('td', {hasText: 'followed'}).first().waitFor();
  t.true((await page.locator('h2', {hasText: 'Lineage'}).locator('+ table tbody tr').count()) >= 1);
  await page.getByRole('tab', {name: 'Audit log'}).click();
  await server.client.post(maps, {metadata: {name: 'seen'}});
  await page
    .locator('tr', {hasText: `create ${maps}`})
    .first()
    .waitFor();
  await page.getByRole('tab', {name: 'Priority levels'}).click();
  await page.locator('tr', {hasText: 'workload-low'}).waitFor();
  t.deepEqual(complaints, []);
});

inBrowser('who may see nothing of the server is told so once for each part, and not asked again', async (t) => {
  const tokens = join(tempFolder(t), 'tokens.csv');
  writeFileSync(tokens, 'a-token-of-jane,jane,1,"viewers"\n');
  await using server = await startTestServer({enableConsole: true, flags: {'token-auth-file': tokens}});
  const {page, answers} = await tokenPage(t, server, 'a-token-of-jane', 'server');
  await page.getByText('cannot get path "/metrics"').waitFor();
  for (const [tab, path] of [
    ['Store', '/inspection/server'],
    ['Audit log', '/inspection/audit'],
    ['Plugins', '/inspection/plugins'],
    ['Flags', '/inspection/flags'],
  ] as const) {
    await page.getByRole('tab', {name: tab}).click();
    await page.getByText(`cannot get path "${path}"`).waitFor();
  }
  // Longer than the pages' pauses between two questions.
  await page.waitForTimeout(6000);
  const refused = answers.filter(({status, path}) => status === 403 && path !== '/api/v1/namespaces').map(({path}) => path);
  t.deepEqual(refused.toSorted(), ['/inspection/audit', '/inspection/flags', '/inspection/plugins', '/inspection/server', '/metrics']);
});

inBrowser('the curves go on after a restart of the server', async (t) => {
  const dataDir = tempFolder(t);
  const options = {enableConsole: true, dataDir, store: 'embedded'} as const;
  const first = await startTestServer(options);
  const {page, complaints} = await adminPage(t, first, 'server');
  await page.locator('.charts figure').first().waitFor();
  await page.locator('.checks li.good').first().waitFor();
  const port = Number(new URL(first.url).port);
  await first.stop();
  await page.getByText('The server cannot be reached.').first().waitFor();
  await using second = await startTestServer({...options, securePort: port});
  t.is(second.url, first.url);
  await page.getByText('The server cannot be reached.').first().waitFor({state: 'detached'});
  await page.locator('.charts figure').first().waitFor();
  t.deepEqual(complaints, []);
});

for (const colorScheme of ['light', 'dark'] as const)
  inBrowser(`screen readers and keyboards find their way through the page of the server (${colorScheme})`, async (t) => {
    await using server = await startAudited(t);
    await server.client.get('/api/v1/namespaces');
    const {page} = await adminPage(t, server, 'server', {colorScheme});
    for (const tab of tabs) {
      await page.goto(`${server.url}/console/server?tab=${tab}`);
      await page.locator('main h1').waitFor();
      await page.waitForLoadState('networkidle');
      if (tab === 'plugins') await page.locator('summary').first().click();
      await axe(t, page, `server ${tab}`);
    }
    await page.getByRole('tab', {name: 'Flags'}).focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByLabel('Filter plugins').waitFor();
    await page.locator('.scroll').focus();
    await page.keyboard.press('/');
    await page.keyboard.type('inspection');
    t.is(await page.getByLabel('Filter plugins').inputValue(), 'inspection');
  });
