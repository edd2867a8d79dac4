import test from 'ava';
import type {Page} from 'playwright-core';
import type {TestServer} from '@orch-api/orch/testing';
import {closeBrowser, inBrowser, openPage} from '../../helpers/chromium.js';
import {serverOf, signInProvider} from './sign-in-provider.js';

test.after.always(closeBrowser);

const button = 'Sign in with the provider';

async function signIn(page: Page, server: TestServer, place: string): Promise<void> {
  await page.goto(`${server.url}/console/${place}`);
  await page.getByRole('button', {name: button}).click();
}

for (const modes of [['query'], ['query', 'fragment']])
  inBrowser(`the server's provider signs in, and its token is nowhere but in memory (${modes.join(', ')})`, async (t) => {
    const provider = await signInProvider(t, {modes});
    const server = await serverOf(t, provider);
    const {page, complaints} = await openPage(t, server);
    await signIn(page, server, 'access?namespace=default');
    await page.locator('header .user', {hasText: `${provider.url}#jane`}).waitFor();
    t.is(page.url(), `${server.url}/console/access?namespace=default`, 'the address is the one of before');
    await page.locator('main', {hasText: 'viewers'}).waitFor();
    const [asked] = provider.authorizations;
    t.is(provider.authorizations.length, 1);
    t.deepEqual(
      ['response_type', 'code_challenge_method', 'scope', 'redirect_uri', 'tenant'].map((name) => asked!.get(name)),
      ['code', 'S256', 'openid email groups', `${server.url}/console/signed-in`, '1'],
    );
    t.regex(asked!.get('code_challenge')!, /^[\w-]{43}$/);
    t.true(asked!.get('state')!.length > 40 && asked!.get('nonce')!.length > 40);
    t.is(await page.evaluate<number>('localStorage.length + sessionStorage.length'), 0);
    await page.reload();
    await page.getByRole('button', {name: button}).waitFor();
    t.deepEqual(
      complaints.filter((text) => !text.startsWith(`a request to ${provider.url}/authorize`)),
      [],
    );
  });

inBrowser('an answer of the provider counts for the tab and the sign-in that it belongs to', async (t) => {
  const provider = await signInProvider(t);
  const server = await serverOf(t, provider);
  const {page} = await openPage(t, server);
  await page.goto(`${server.url}/console/signed-in?code=of-somebody-else&state=x`);
  await page.getByText('no answer to a sign-in that began in this tab').waitFor();
  t.is(page.url(), `${server.url}/console/`, 'the code is gone from the address');
  provider.wrong.state = 'another';
  await signIn(page, server, '');
  await page.getByText('no answer to a sign-in that began in this tab').waitFor();
  t.is(provider.exchanged.count, 0);
  delete provider.wrong.state;
  provider.wrong.nonce = 'another';
  await signIn(page, server, '');
  await page.getByText('is not for this sign-in').waitFor();
  t.is(provider.exchanged.count, 1);
  delete provider.wrong.nonce;
  provider.wrong.error = 'access_denied"><img src=x onerror=window.attacked=1>';
  await signIn(page, server, '');
  await page.getByText('The provider did not sign you in: access_denied">').waitFor();
  t.is(await page.evaluate('window.attacked'), undefined);
  t.is(await page.locator('header .user').count(), 0);
  delete provider.wrong.error;
  await signIn(page, server, '');
  await page.locator('header .user').waitFor();
});

inBrowser('a provider that is away is said so, and other ways stay', async (t) => {
  const provider = await signInProvider(t);
  const server = await serverOf(t, provider);
  await provider.stop();
  const {page} = await openPage(t, server);
  await signIn(page, server, '');
  await page.getByRole('alert').filter({hasText: 'does not answer as it should'}).waitFor();
  t.true(await page.getByLabel('Bearer token').isVisible());
});
