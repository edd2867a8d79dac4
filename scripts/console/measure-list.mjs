import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {profileLines, profilePage, profileProcess} from './cpu-profile.mjs';
import {launchChromium} from './launch-chromium.mjs';
import {processorSeconds} from './measure-idle.mjs';
import {startServerProcess} from './server-process.mjs';

const maps = '/api/v1/namespaces/default/configmaps';
const nameOf = (index) => `map-${String(index).padStart(6, '0')}`;
/** Requests that wait for their answers at once. */
const atOnce = 40;

/**
 * A list with many objects of which some change each second, in Chromium: while it is looked at, scrolled, and filtered.
 *
 * @param options.profile a folder for profiles of the processor, of the page and the server
 * @returns whether it shows at the end what the server has
 */
export async function measureList({objects, rate, seconds, profile}) {
  const server = await startServerProcess(['--enable-console'], {inspect: profile !== undefined});
  let browser;
  try {
    browser = await launchChromium();
    const began = performance.now();
    await inParallel(objects, (index) => server.ask('POST', maps, {metadata: {name: nameOf(index)}, data: {a: 'b'}}));
    console.log(`list: ${objects} objects made in ${((performance.now() - began) / 1000).toFixed(0)} s`);
    const page = await (await browser.newContext({ignoreHTTPSErrors: true, viewport: {width: 1280, height: 800}})).newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(`${server.url}${(await server.ask('POST', '/console/links')).path}`);
    await page.locator('header .user').waitFor();
    await page.locator('tbody tr').first().waitFor();
    const heap = await heapClock(page);
    console.log(`list: heap of the page of types ${await heap()}`);
    await load(page, server);
    console.log(`list: heap of the list ${await heap()}`);
    const threadSeconds = await threadClock(page);
    const framesWith = async (scrolls, millis) => {
      const thread = await threadSeconds();
      const found = await framesOf(page, scrolls, millis);
      return {...found, own: ((await threadSeconds()) - thread) / found.frames.length};
    };
    console.log(`list: scrolled at rest: ${frameText(await framesWith(true, 5000))}`);
    const changes = new Changes(server, objects, rate);
    const filter = page.getByLabel('Filter rows');
    const measure = async (what, scrolls) => {
      const ends = profile === undefined ? [] : [await profilePage(page), await profileProcess(server.inspector)];
      const processor = processorSeconds(server.pid);
      changes.begin();
      const frames = await framesWith(scrolls, seconds * 1000);
      const {made, took} = await changes.end();
      const used = ((processorSeconds(server.pid) - processor) / took) * 100;
      console.log(
        `list: ${what}, ${(made / took).toFixed(0)} changes a second: ${frameText(frames)}; the server took ${used.toFixed(0)} % of a processor`,
      );
      for (const [index, end] of ends.entries()) keepProfile(profile, `${what}-${['page', 'server'][index]}`, await end());
    };
    await measure('looked at', false);
    await measure('scrolled', true);
    await filter.fill('map-0');
    await measure('filtered', true);
    console.log(`list: ${await page.locator('.rows tbody tr').count()} rows exist`);
    // What the last change left is what the list shows: three entries of data.
    await filter.fill(changes.last);
    await page.locator('.rows tbody tr', {hasText: changes.last}).locator('td', {hasText: /^3$/}).waitFor();
    console.log('list: the last change is shown');
    await page.getByRole('link', {name: 'Types'}).click();
    await page.getByRole('heading', {name: 'Types'}).waitFor();
    console.log(`list: heap when the list is left ${await heap()}`);
    return true;
  } catch (error) {
    console.error(error);
    return false;
  } finally {
    await browser?.close();
    await server.stop();
  }
}

async function load(page, server) {
  const {metadata} = await server.ask('GET', `${maps}?limit=1`);
  const count = metadata.remainingItemCount + 1;
  const began = performance.now();
  const since = () => ((performance.now() - began) / 1000).toFixed(1);
  await page.goto(`${server.url}/console/objects/core/configmaps?namespace=default`);
  await page.getByRole('link', {name: nameOf(0), exact: true}).waitFor();
  const first = since();
  await page.getByText(String(count), {exact: true}).waitFor();
  const all = since();
  console.log(`list: first rows after ${first} s, all ${count} after ${all} s`);
}

/** @returns reads what of the heap of a page is in use, without garbage */
async function heapClock(page) {
  const session = await page.context().newCDPSession(page);
  return async () => {
    await session.send('HeapProfiler.collectGarbage');
    const {usedSize} = await session.send('Runtime.getHeapUsage');
    return `${(usedSize / 1e6).toFixed(1)} MB`;
  };
}

/** @returns reads how many seconds of processor the thread of a page has taken, whatever else the machine does */
async function threadClock(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  return async () => (await session.send('Performance.getMetrics')).metrics.find(({name}) => name === 'ThreadTime').value;
}

/** Works on numbers from 0 on, some at a time. */
async function inParallel(count, work) {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({length: atOnce}, worker));
}

/** Changes objects at a rate, one after the other. */
class Changes {
  last = '';
  #server;
  #objects;
  #rate;
  #made = 0;
  #running;
  #isOver = false;

  constructor(server, objects, rate) {
    this.#server = server;
    this.#objects = objects;
    this.#rate = rate;
  }

  begin() {
    this.#isOver = false;
    this.#running = this.#run();
  }

  /** @returns how many were answered, and in how many seconds */
  end() {
    this.#isOver = true;
    return this.#running;
  }

  async #run() {
    const began = performance.now();
    let made = 0;
    const pending = new Set();
    while (!this.#isOver) {
      const due = Math.floor(((performance.now() - began) / 1000) * this.#rate);
      while (made < due && pending.size < atOnce) {
        this.last = nameOf((this.#made * 7) % this.#objects);
        const data = {changed: String(this.#made), more: 'x'};
        const work = this.#server.ask('PATCH', `${maps}/${this.last}`, {data}).then(() => pending.delete(work));
        pending.add(work);
        this.#made += 1;
        made += 1;
      }
      await sleep(2);
    }
    await Promise.all(pending);
    return {made, took: (performance.now() - began) / 1000};
  }
}

/** Frames of a page, in milliseconds, the shortest first, and tasks of its thread that took more than 50. @param scrolls whether each frame has other rows */
function framesOf(page, scrolls, millis) {
  return page.evaluate(
    async ([isScrolled, duration]) => {
      const rows = document.querySelector('.rows');
      const tasks = [];
      const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration)));
      observer.observe({entryTypes: ['longtask']});
      const frames = [];
      const end = performance.now() + duration;
      let before = performance.now();
      while (performance.now() < end) {
        if (isScrolled) rows.scrollTop = (rows.scrollTop + 900) % (rows.scrollHeight - rows.clientHeight);
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        frames.push(now - before);
        before = now;
      }
      observer.disconnect();
      return {frames: frames.sort((left, right) => left - right), tasks};
    },
    [scrolls, millis],
  );
}

function frameText({frames, tasks, own}) {
  const part = (share) => frames[Math.min(frames.length - 1, Math.floor(frames.length * share))].toFixed(0);
  return `a frame ${part(0.5)} ms (${(own * 1000).toFixed(1)} of processor in the page), 99th percentile ${part(0.99)}, longest ${part(1)}; ${tasks.length} tasks of more than 50 ms${tasks.length > 0 ? `, longest ${Math.max(...tasks)}` : ''}`;
}

function keepProfile(folder, name, profile) {
  mkdirSync(folder, {recursive: true});
  writeFileSync(join(folder, `${name}.cpuprofile`), JSON.stringify(profile));
  console.log(`profile of ${name}:\n${profileLines(profile).join('\n')}`);
}
