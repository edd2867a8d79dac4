import type {ExecutionContext} from 'ava';
import type {BrowserContextOptions} from 'playwright-core';
import type {TestServer} from '@orch-api/orch/testing';
import {openPage, type WatchedPage} from './chromium.js';

/** A link that signs in as the administrator, as `orch console` gets it. */
export async function consoleLink(server: TestServer): Promise<string> {
  const answer = await server.client.post('/console/links', undefined);
  return `${server.url}${answer.json<{path: string}>().path}`;
}

/** A page of the console on which the administrator is signed in. @param path below `/console/` */
export async function adminPage(
  t: ExecutionContext,
  server: TestServer,
  path: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const opened = await openPage(t, server, options);
  // The link is taken at any address of the console: one load does both.
  const {hash} = new URL(await consoleLink(server));
  await opened.page.goto(`${server.url}/console/${path}${hash}`);
  await opened.page.locator('header .user').waitFor();
  await opened.page.locator('main h1').waitFor();
  return opened;
}

/** Follows a link to an address below `/console/`, as a click on one in the page does: nothing is loaded again. Waits until all that it asks for is there. */
export async function follow({page, settled}: WatchedPage, path: string): Promise<void> {
  await page.evaluate(`{
    const link = document.createElement('a');
    link.href = ${JSON.stringify(`/console/${path}`)};
    document.body.append(link);
    link.click();
    link.remove();
  }`);
  await settled();
}

/** A page on which the holder of a token is signed in. */
export async function tokenPage(t: ExecutionContext, server: TestServer, token: string, path: string): Promise<WatchedPage> {
  const opened = await openPage(t, server);
  await opened.page.goto(`${server.url}/console/${path}`);
  await opened.page.getByLabel('Bearer token').fill(token);
  await opened.page.getByRole('button', {name: 'Sign in with the token'}).click();
  await opened.page.locator('header .user').waitFor();
  return opened;
}
