import {spawn} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {Agent, request} from 'node:https';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
/** As `npm start` gives them to Node. */
const nodeFlags = ['--max-semi-space-size=16'];

/**
 * Starts `orch serve` as a process of its own, so that what it takes is its own, and waits until it is ready.
 *
 * @param flags of the server
 * @param more.inspect whether its processor may be profiled
 */
export async function startServerProcess(flags, {inspect = false} = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'orch-console-'));
  const program = join(root, 'dist/bundle/core/cli/main.js');
  const argv = [...nodeFlags, ...(inspect ? ['--inspect=127.0.0.1:0'] : []), program, 'serve', '--data-dir', folder, '--secure-port', '0'];
  const child = spawn(process.execPath, [...argv, ...flags], {stdio: ['ignore', 'pipe', 'pipe']});
  let said = '';
  const url = await new Promise((ready, failed) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        said += text;
        const found = /^ready (https:\/\/\S+)/m.exec(said);
        if (found) ready(found[1]);
      });
    child.once('error', failed);
    child.once('exit', (code) => failed(new Error(`the server ended with ${code}\n${said}`)));
  });
  const read = (name) => readFileSync(join(folder, 'pki', name));
  const agent = new Agent({ca: read('ca.crt'), cert: read('admin.crt'), key: read('admin.key'), keepAlive: true, maxSockets: 64});
  return {
    url,
    pid: child.pid,
    folder,
    /** Where its inspector listens. */
    inspector: /^Debugger listening on (ws:\S+)/m.exec(said)?.[1],
    /** Sends a request as the administrator. @returns what is answered, as JSON @throws Error if it is refused */
    ask: (method, path, body) => ask(agent, new URL(path, url), method, body),
    async stop() {
      agent.destroy();
      if (child.exitCode === null && child.signalCode === null) {
        const ended = new Promise((done) => child.once('exit', done));
        child.kill('SIGTERM');
        if ((await Promise.race([ended, sleep(15_000, 'late', {ref: false})])) === 'late') child.kill('SIGKILL');
      }
      rmSync(folder, {recursive: true, force: true});
    },
  };
}

function ask(agent, url, method, body) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const headers = text === undefined ? {} : {'content-type': type, 'content-length': Buffer.byteLength(text)};
  return new Promise((answered, failed) => {
    const sent = request(url, {agent, method, headers}, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part)).on('error', failed);
      response.on('end', () => {
        const answer = Buffer.concat(parts).toString('utf8');
        if (response.statusCode < 300) answered(answer === '' ? undefined : JSON.parse(answer));
        else failed(new Error(`${method} ${url.pathname}: ${response.statusCode} ${answer.slice(0, 300)}`));
      });
    });
    sent.on('error', failed).end(text);
  });
}
