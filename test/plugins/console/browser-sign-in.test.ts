import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {closeBrowser, inBrowser, openPage} from '../../helpers/chromium.js';
import {adminPage, consoleLink, tokenPage} from '../../helpers/console-page.js';
import {tempFolder, type Teardown} from '../../helpers/temp-folder.js';
import {userCredentials} from '../../helpers/user-client.js';

test.after.always(closeBrowser);

function tokenFile(t: Teardown): string {
  const file = join(tempFolder(t), 'tokens.csv');
  writeFileSync(file, 'a-token-of-jane,jane,1,"viewers"\n');
  return file;
}

inBrowser('a link signs in once, and is gone from the address and the history', async (t) => {
  await using server = await startTestServer({enableConsole: true});
  const link = await consoleLink(server);
  const {page, complaints} = await openPage(t, server);
  await page.goto(link);
  await page.locator('header .user', {hasText: 'orch-admin'}).waitFor();
  t.is(page.url(), `${server.url}/console/`);
  t.false((await page.evaluate<string>('document.cookie')).includes('orch'), 'no script reads the cookie');
  await page.reload();
  await page.locator('header .user', {hasText: 'orch-admin'}).waitFor();
  const other = await openPage(t, server);
  await other.page.goto(link);
  await other.page.getByText('was used before').waitFor();
  t.deepEqual(complaints, []);
});

inBrowser('who signs out is signed out, and the cookie is gone', async (t) => {
  await using server = await startTestServer({enableConsole: true});
  const {page} = await adminPage(t, server, '');
  t.is((await page.context().cookies()).length, 1);
  await page.getByRole('button', {name: 'Sign out'}).click();
  await page.getByText('You have signed out.').waitFor();
  await t.notThrowsAsync(page.waitForResponse((response) => response.url().endsWith('/console/sessions')).catch(() => undefined));
  t.deepEqual(await page.context().cookies(), []);
  await page.reload();
  await page.getByLabel('Bearer token').waitFor();
});

inBrowser('a token signs in for as long as the page is there, and is kept nowhere', async (t) => {
  await using server = await startTestServer({enableConsole: true, flags: {'token-auth-file': tokenFile(t)}});
  const {page} = await openPage(t, server);
  await page.goto(`${server.url}/console/access`);
  await page.getByLabel('Bearer token').fill('nobody-has-this');
  await page.getByRole('button', {name: 'Sign in with the token'}).click();
  await page.getByText('The server does not know this token.').waitFor();
  await page.getByLabel('Bearer token').fill('a-token-of-jane');
  await page.getByRole('button', {name: 'Sign in with the token'}).click();
  await page.locator('header .user', {hasText: 'jane'}).waitFor();
  await page.getByText('You are jane').waitFor();
  t.false((await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage, location.href])')).includes('a-token-of-jane'));
  await page.reload();
  await page.getByLabel('Bearer token').waitFor();
});

inBrowser("the browser's certificate signs in, and watches go by it as well", async (t) => {
  await using server = await startTestServer({enableConsole: true});
  const {cert, key} = await userCredentials(server, 'carla', ['system:masters']);
  const certificate = {origin: server.url, cert: Buffer.from(cert), key: Buffer.from(key)};
  const {page} = await openPage(t, server, {clientCertificates: [certificate]});
  await page.goto(`${server.url}/console/objects/core/configmaps?namespace=default`);
  await page.locator('header .user', {hasText: 'carla'}).waitFor();
  await page.getByText('Live', {exact: true}).waitFor();
  await server.client.post('/api/v1/namespaces/default/configmaps', {metadata: {name: 'seen-by-carla'}});
  await page.getByRole('link', {name: 'seen-by-carla'}).waitFor();
  t.pass();
});

inBrowser('a session that ends in the middle leads to signing in again, at the same address', async (t) => {
  await using server = await startTestServer({enableConsole: true, flags: {'token-auth-file': tokenFile(t), 'anonymous-auth': false}});
  const {page} = await adminPage(t, server, 'objects/core/configmaps?namespace=default');
  await page.getByText('Live', {exact: true}).waitFor();
  await server.advance(9 * 3_600_000);
  await page.getByRole('link', {name: 'Access'}).click();
  await page.getByText('The server does not know you any more').waitFor();
  t.true(page.url().endsWith('/console/access?namespace=default'));
  t.is(await page.evaluate('localStorage.getItem("orch.console.session")'), null);
});

inBrowser('who may impersonate acts as somebody else, sees what that user sees, and is himself again', async (t) => {
  await using server = await startTestServer({enableConsole: true});
  const rbac = 'rbac.authorization.orch';
  await server.client.post(`/apis/${rbac}/v1/namespaces/default/rolebindings`, {
    metadata: {name: 'viewers'},
    roleRef: {apiGroup: rbac, kind: 'ClusterRole', name: 'view'},
    subjects: [{apiGroup: rbac, kind: 'Group', name: 'viewers'}],
  });
  const {page, complaints} = await adminPage(t, server, 'access?namespace=default');
  await page.getByLabel('Act as the user').fill('jane');
  await page.getByLabel('of the groups').fill('viewers');
  await page.getByRole('button', {name: 'Act as this user'}).click();
  await page.getByText('You act as jane.').waitFor();
  await page.locator('header .user', {hasText: 'jane'}).waitFor();
  await page.keyboard.press(':');
  await page.getByRole('combobox', {name: 'Type or view'}).fill('cm');
  await page.keyboard.press('Enter');
  await page.getByText('Live', {exact: true}).waitFor();
  await server.client.post('/api/v1/namespaces/default/configmaps', {metadata: {name: 'seen-by-jane'}});
  await page.getByRole('link', {name: 'seen-by-jane'}).click();
  await page.getByText('You may not update this object.').waitFor();
  await page.getByRole('button', {name: 'Be yourself again'}).click();
  await page.locator('header .user', {hasText: 'orch-admin'}).waitFor();
  await page.getByText('You may not update this object.').waitFor({state: 'detached'});
  t.true(await page.getByRole('button', {name: 'Edit'}).isEnabled());
  t.deepEqual(complaints, []);
});

inBrowser('who may not impersonate stays who he is', async (t) => {
  await using server = await startTestServer({enableConsole: true, flags: {'token-auth-file': tokenFile(t)}});
  const {page} = await tokenPage(t, server, 'a-token-of-jane', 'access');
  await page.getByLabel('Act as the user').fill('orch-admin');
  await page.getByRole('button', {name: 'Act as this user'}).click();
  await page.getByText('The server does not let you act as orch-admin.').waitFor();
  t.is(await page.locator('header .user').innerText(), 'jane');
});

inBrowser('a user of one namespace works in it, and is refused the rest without a storm of errors', async (t) => {
  await using server = await startTestServer({enableConsole: true, platform: 'kubernetes', flags: {'token-auth-file': tokenFile(t)}});
  const rbac = 'rbac.authorization.k8s.io';
  await server.client.post('/api/v1/namespaces', {metadata: {name: 'shop'}});
  await server.client.post(`/apis/${rbac}/v1/namespaces/shop/rolebindings`, {
    metadata: {name: 'jane'},
    roleRef: {apiGroup: rbac, kind: 'ClusterRole', name: 'view'},
    subjects: [{apiGroup: rbac, kind: 'User', name: 'jane'}],
  });
  await server.client.post('/api/v1/namespaces/shop/configmaps', {metadata: {name: 'settings'}});
  const {page, answers} = await tokenPage(t, server, 'a-token-of-jane', 'objects/core/configmaps');
  await page.getByText('Choose a namespace above').waitFor();
  await page.getByLabel('Namespace', {exact: false}).first().fill('shop');
  await page.keyboard.press('Enter');
  await page.getByRole('link', {name: 'settings'}).waitFor();
  await page.getByRole('button', {name: 'Create', disabled: true}).waitFor();
  await page.getByRole('link', {name: 'settings'}).click();
  await page.locator('.cm-content', {hasText: 'name: settings'}).waitFor();
  await page.getByText('You may not update this object.').waitFor();
  t.true(await page.getByRole('button', {name: 'Edit'}).isDisabled());
  t.true(await page.getByRole('button', {name: 'Delete'}).isDisabled());
  await page.goto(`${server.url}/console/types?namespace=shop`);
  await page.getByLabel('Bearer token').fill('a-token-of-jane');
  await page.getByRole('button', {name: 'Sign in with the token'}).click();
  await page.locator('tr', {hasText: 'clusterroles'}).getByText('you may not list these').first().waitFor();
  t.is(await page.locator('tr', {hasText: 'configmaps'}).getByText('you may not list these').count(), 0);
  // Namespaces twice, configmaps of all namespaces once.
  const refused = answers.filter(({status}) => status === 403).map(({path}) => path);
  t.deepEqual(refused.toSorted(), ['/api/v1/configmaps', '/api/v1/namespaces', '/api/v1/namespaces']);
});
