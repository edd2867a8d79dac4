// Measures the console: 50,000 objects in a list of which 500 change each second, in Chromium; and what it costs a server that has nothing to do.
//
//   npm run console-figures [-- --only list|idle] [--objects 50000] [--rate 500] [--seconds 20]
//
// The exit code is 1 if the list does not show at the end what the server has, or an idle server takes more than 0.1 % of a processor for the console.
import '../require-node.mjs';
import {spawn} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {launchChromium} from './launch-chromium.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const {values} = parseArgs({
  options: {
    only: {type: 'string'},
    objects: {type: 'string', default: '50000'},
    rate: {type: 'string', default: '500'},
    seconds: {type: 'string', default: '20'},
  },
});
const [objects, rate, seconds] = [values.objects, values.rate, values.seconds].map(Number);
/** Percent of a processor that the console may take of an idle server. */
const mostIdle = 0.1;
const idleSeconds = 60;
const maps = '/api/v1/namespaces/default/configmaps';
const nameOf = (index) => `map-${String(index).padStart(6, '0')}`;
let isGood = true;

/** Works on numbers from 0 on, some at a time. */
async function inParallel(count, atOnce, work) {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({length: atOnce}, worker));
}

/** Changes objects at a rate, one after the other, until the time is over. @returns how many */
async function keepChanging(client, until) {
  const began = performance.now();
  let made = 0;
  const pending = new Set();
  while (performance.now() < until) {
    const due = Math.floor(((performance.now() - began) / 1000) * rate);
    while (made < due && pending.size < 100) {
      const work = client
        .patch(`${maps}/${nameOf((made * 7) % objects)}`, {data: {changed: String(made), more: 'x'}})
        .then(() => pending.delete(work));
      pending.add(work);
      made += 1;
    }
    await sleep(5);
  }
  await Promise.all(pending);
  return made;
}

/** Frames of a page while something scrolls it, in milliseconds. */
const frames = (page, millis) =>
  page.evaluate(async (duration) => {
    const rows = document.querySelector('.rows');
    const found = [];
    const end = performance.now() + duration;
    let before = performance.now();
    while (performance.now() < end) {
      rows.scrollTop = (rows.scrollTop + 900) % (rows.scrollHeight - rows.clientHeight);
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      found.push(now - before);
      before = now;
    }
    return found.sort((left, right) => left - right);
  }, millis);
const part = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(0);

async function measureList() {
  const {startTestServer} = await import(join(root, 'dist/bundle/testing/index.js'));
  const browser = await launchChromium();
  const server = await startTestServer({enableConsole: true});
  try {
    await inParallel(objects, 40, (index) => server.client.post(maps, {metadata: {name: nameOf(index)}, data: {a: 'b'}}));
    const page = await (await browser.newContext({ignoreHTTPSErrors: true, viewport: {width: 1280, height: 800}})).newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(`${server.url}${(await server.client.post('/console/links')).json().path}`);
    await page.locator('header .user').waitFor();
    const began = performance.now();
    const since = () => ((performance.now() - began) / 1000).toFixed(1);
    await page.goto(`${server.url}/console/objects/core/configmaps?namespace=default`);
    await page.getByRole('link', {name: nameOf(0), exact: true}).waitFor();
    const first = since();
    await page.getByText(String(objects), {exact: true}).waitFor();
    const all = since();
    const heap = await page.evaluate(() => globalThis.gc?.() ?? performance.memory.usedJSHeapSize / 1e6);
    console.log(`list: first rows after ${first} s, all ${objects} after ${all} s, heap ${Number(heap).toFixed(0)} MB`);
    const still = await frames(page, 5000);
    console.log(`list: a frame while scrolling ${part(still, 0.5)} ms, 99th percentile ${part(still, 0.99)} ms`);
    const changing = keepChanging(server.client, performance.now() + seconds * 1000);
    const busy = await frames(page, seconds * 1000 - 1000);
    const made = await changing;
    console.log(
      `list: ${(made / seconds).toFixed(0)} changes a second: a frame ${part(busy, 0.5)} ms, 99th percentile ${part(busy, 0.99)} ms; ${await page.locator('.rows tbody tr').count()} rows exist`,
    );
    // What the last change left is what the list shows: three entries of data.
    const last = nameOf(((made - 1) * 7) % objects);
    await page.getByLabel('Filter').or(page.locator('[data-filter]')).first().fill(last);
    const row = page.locator('.rows tbody tr', {hasText: last});
    await row.locator('td', {hasText: /^3$/}).waitFor();
    console.log('list: the last change is shown');
  } catch (error) {
    isGood = false;
    console.error(error);
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** Seconds of processor that a process has taken. */
function processorSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function startIdle(flags) {
  const folder = mkdtempSync(join(tmpdir(), 'orch-idle-'));
  const program = join(root, 'dist/bundle/core/cli/main.js');
  const child = spawn(process.execPath, [program, 'serve', '--data-dir', folder, '--secure-port', '0', ...flags], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await new Promise((ready, failed) => {
    child.stdout.setEncoding('utf8').on('data', (text) => text.includes('ready') && ready());
    child.on('exit', (code) => failed(new Error(`the server ended with ${code}`)));
  });
  const stop = async () => {
    const ended = new Promise((done) => child.once('exit', done));
    child.removeAllListeners('exit').once('exit', () => rmSync(folder, {recursive: true, force: true}));
    child.kill('SIGTERM');
    await ended.catch(() => undefined);
  };
  return {pid: child.pid, stop: () => Promise.race([stop(), sleep(15_000)])};
}

async function measureIdle() {
  // Both at once, so that what else the machine does is the same for both.
  const servers = await Promise.all([startIdle([]), startIdle(['--enable-console'])]);
  try {
    await sleep(20_000);
    const before = servers.map(({pid}) => processorSeconds(pid));
    await sleep(idleSeconds * 1000);
    const [without, with_] = servers.map(({pid}, index) => processorSeconds(pid) - before[index]);
    const more = ((with_ - without) / idleSeconds) * 100;
    console.log(
      `idle: ${with_.toFixed(2)} s of processor in ${idleSeconds} s with the console, ${without.toFixed(2)} s without: ${Math.max(0, more).toFixed(3)} % more`,
    );
    if (more > mostIdle) isGood = false;
  } finally {
    for (const server of servers) await server.stop();
  }
}

if (values.only !== 'idle') await measureList();
if (values.only !== 'list') await measureIdle();
process.exitCode = isGood ? 0 : 1;
