import {execFileSync, spawn} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {launchChromium} from './launch-chromium.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
/** Seconds that the steps may take together. */
const mostSeconds = 60;
/** So long somebody looks at a page before he does something, and between two keys. */
const [lookMillis, keyMillis] = [700, 60];

/**
 * What a new user does, with the commands of the README alone: from a fresh clone, whose packages are installed, to the first object that was edited in the browser.
 *
 * @returns whether that takes less than a minute
 */
export async function measureFirstSteps() {
  const folder = mkdtempSync(join(tmpdir(), 'orch-clone-'));
  const began = [];
  const ends = [];
  const step = (text) => {
    began.push([text, performance.now()]);
  };
  try {
    execFileSync('git', ['clone', '--quiet', root, folder]);
    execFileSync('bash', ['scripts/setup.sh'], {cwd: folder, stdio: 'ignore'});
    step('npm start, until it is ready');
    // The port is the only thing that no new user would say: another server may have the usual one.
    const server = spawn('npm', ['start', '--', '--platform', 'kubernetes', '--enable-console', '--secure-port', '0'], {
      cwd: folder,
      detached: true,
    });
    ends.push(() => endGroup(server));
    await lineOf(server, /^ready /m);
    step('orch console');
    const link = execFileSync('npm', ['run', '--silent', 'orch', '--', 'console'], {cwd: folder, encoding: 'utf8'});
    const browser = await launchChromium();
    ends.push(() => browser.close());
    const page = await browser.newPage({viewport: {width: 1280, height: 800}});
    step('the link, past the warning of the browser');
    await openPastWarning(page, /https:\S+/.exec(link)[0]);
    await page.locator('header .user').waitFor();
    step('an object is found');
    await click(page, page.getByRole('link', {name: 'configmaps', exact: true}));
    await click(page, page.getByRole('link', {name: 'kube-root-ca.crt'}).first());
    step('it is edited');
    await click(page, page.getByRole('button', {name: 'Edit'}));
    await page.getByLabel('The object as YAML, edited').waitFor();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.insertText('\n');
    await page.keyboard.type('immutable: true', {delay: keyMillis});
    await click(page, page.getByRole('button', {name: 'Review changes'}));
    await click(page, page.getByRole('button', {name: 'Write'}));
    await page.getByRole('button', {name: 'Edit'}).waitFor();
    await page.locator('.cm-content', {hasText: 'immutable: true'}).waitFor();
    step('');
  } catch (error) {
    console.error(error);
    return false;
  } finally {
    for (const end of ends.reverse()) await end();
    rmSync(folder, {recursive: true, force: true});
  }
  const seconds = (from, to) => (to - from) / 1000;
  for (const [index, [text, at]] of began.slice(0, -1).entries())
    console.log(
      `first steps: ${seconds(at, began[index + 1][1])
        .toFixed(1)
        .padStart(5)} s  ${text}`,
    );
  const all = seconds(began[0][1], began.at(-1)[1]);
  console.log(`first steps: ${all.toFixed(1).padStart(5)} s  in all`);
  return all < mostSeconds;
}

async function click(page, target) {
  await target.waitFor();
  await sleep(lookMillis);
  await target.click();
}

/** The authority of the server is its own, which browsers warn of. */
async function openPastWarning(page, link) {
  await page.goto(link).catch((error) => {
    if (!String(error).includes('ERR_CERT')) throw error;
  });
  await click(page, page.locator('#details-button'));
  await click(page, page.locator('#proceed-link'));
}

function lineOf(child, form) {
  let said = '';
  return new Promise((found, failed) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        said += text;
        if (form.test(said)) found();
      });
    child.once('error', failed);
    child.once('exit', (code) => failed(new Error(`it ended with ${code}\n${said}`)));
  });
}

/** npm, and the server that it has started. */
async function endGroup(child) {
  child.removeAllListeners('exit');
  const ended = new Promise((done) => child.once('exit', done));
  process.kill(-child.pid, 'SIGTERM');
  await ended;
}
