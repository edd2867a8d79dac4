import {delimiter, join} from 'node:path';
import {existsSync} from 'node:fs';
import test, {type ExecutionContext} from 'ava';
import {chromium, type Browser, type BrowserContextOptions, type Page, type Request} from 'playwright-core';
import type {TestServer} from '@orch-api/orch/testing';
import {patienceMillis, until} from './eventually.js';
import {inTime} from './in-time.js';
import {isInstalled, whereInstalled} from './where-installed.js';

/**
 * `test` where Chromium is installed, and `test.skip` elsewhere. One after the other: each has a server and pages, and browsers want more processor than machines that test
 * have.
 */
export const inBrowser = isInstalled('chromium')
  ? (title: string, work: (t: ExecutionContext) => Promise<void>): void =>
      test.serial(title, async (t) => {
        // One that no longer answers would fail all that come after.
        t.teardown(async () => {
          if (!t.passed) await closeBrowser();
        });
        await work(t);
      })
  : whereInstalled('chromium');

let running: Promise<Browser> | undefined;

/** The browser of a test file, which starts with the first page and ends with its process. */
export function browser(): Promise<Browser> {
  running ??= chromium.launch({
    executablePath: (process.env.PATH ?? '')
      .split(delimiter)
      .map((folder) => join(folder, 'chromium'))
      .find((path) => existsSync(path))!,
    // The sandbox of a browser refuses to run as root, as machines that only test do.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  return running;
}

/** To be called after the last test of a file. */
export async function closeBrowser(): Promise<void> {
  const closing = running;
  running = undefined;
  // It is killed when it has not ended within half a minute.
  await (await closing)?.close();
}

/** Playwright waits for elements and answers as long as a page allows, but for some of its own calls without end. */
const answered = <T>(what: string, call: Promise<T>, timeoutMillis = patienceMillis): Promise<T> =>
  inTime(`the browser answers: ${what}`, call, timeoutMillis);

/** A page of its own user, and what must not happen on it. */
export interface WatchedPage {
  readonly page: Page;
  /** What the page complained about: errors, and what its policy refused. */
  readonly complaints: readonly string[];
  /** Answers by status, of all requests. */
  readonly answers: readonly {readonly status: number; readonly path: string}[];
  /** How often the page itself was loaded. */
  readonly loads: () => number;
  /** Resolves when nothing that the page has asked for is on its way, and what came is shown. */
  readonly settled: () => Promise<void>;
}

/** Two frames with a task in between: what components do after a frame is done, and the next is made of it. */
const twoFrames = `new Promise((done) => requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => done()))))`;

/** A page, closed at the end of the test. A request to anywhere but the server is among its complaints. */
export async function openPage(t: ExecutionContext, server: TestServer, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const settings = {ignoreHTTPSErrors: true, viewport: {width: 1280, height: 800}, ...options};
  const context = await answered(
    'a new user',
    browser().then((started) => started.newContext(settings)),
  );
  t.teardown(() => answered('its end', context.close(), 10_000).catch(() => t.log('the page does not end; the browser is ended')));
  const page = await answered('a new page', context.newPage());
  page.setDefaultTimeout(patienceMillis);
  const complaints: string[] = [];
  const answers: {status: number; path: string}[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // What is refused or away is an answer, and no fault of the page. The browser's own editing gives what it moves a style, which the policy takes away.
    const expected = /status of (?:4|5)\d\d|WebSocket connection|ERR_|Applying inline style/;
    if (message.type() === 'error' && !expected.test(message.text())) complaints.push(message.text());
  });
  page.on('response', (response) => answers.push({status: response.status(), path: new URL(response.url()).pathname}));
  const pending = new Set<Request>();
  let documents = 0;
  const ended = (request: Request) => void pending.delete(request);
  page.on('requestfinished', ended).on('requestfailed', ended);
  page.on('request', (request) => {
    pending.add(request);
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) documents += 1;
    if (!request.url().startsWith(server.url) && !request.url().startsWith('data:')) complaints.push(`a request to ${request.url()}`);
  });
  const loads = () => documents;
  const settled = async () => {
    do {
      await until('all answers have come', () => pending.size === 0);
      await answered('two frames', page.evaluate(twoFrames));
    } while (pending.size > 0);
  };
  return {page, complaints, answers, loads, settled};
}
