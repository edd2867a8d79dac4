import test from 'ava';
import {execFile} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {run} from '#bundle/core/cli/run.js';
import {projectRoot} from '../helpers/project-root.js';
import {scenes, type Scene} from './incident-scenes.js';

/** A page of docs/incidents.md. */
interface Page {
  readonly title: string;
  /** In the order of the text: what is seen where, and what is typed. */
  readonly steps: readonly ({readonly where: string; readonly what: string} | {readonly command: string})[];
}

const pages = readPages(readFileSync(join(projectRoot(), 'docs/incidents.md'), 'utf8'));

function readPages(text: string): Page[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n');
      const steps: Page['steps'][number][] = [];
      let inShell = false;
      for (const line of lines) {
        if (line.startsWith('```')) inShell = line === '```sh';
        else if (inShell) steps.push({command: line});
        else if (/^\| [^-]/.test(line) && !line.startsWith('| where |')) {
          const [, where = '', what = ''] = /^\| (.+?) \| `(.*)` \|$/.exec(line) ?? [];
          if (where === '') throw new Error(`this row of "${title}" cannot be understood: ${line}`);
          steps.push({where: where.replaceAll('`', ''), what});
        }
      }
      return {title, steps};
    });
}

/** `…` stands for anything, words in capitals for one word. */
function pattern(text: string): RegExp {
  const parts = text
    .split(/(…|\b(?:HOST:PORT|PID|DIR|N)\b)/)
    .map((part, index) => (index % 2 === 0 ? part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&') : part === '…' ? '.*' : '\\S+'));
  return new RegExp(parts.join(''));
}

async function seen(scene: Scene, where: string, what: string): Promise<string | undefined> {
  const wanted = pattern(what);
  const look = scene.see[where];
  if (look === undefined) throw new Error(`there is no way to look at "${where}"`);
  let text = '';
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await new Promise((resolve) => setTimeout(resolve, 50))) {
    text = await look();
    if (wanted.test(text)) return undefined;
  }
  return text;
}

/** Types a line, as it stands on the page. @returns exit code and output */
async function type(scene: Scene, line: string): Promise<{code: number; output: string}> {
  const service = /^systemctl (stop|start) orch$/.exec(line)?.[1] as 'stop' | 'start' | undefined;
  if (service !== undefined) {
    await scene.service![service]();
    return {code: 0, output: ''};
  }
  if (line.startsWith('orch ')) {
    const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) =>
      (quoted ?? plain!).replaceAll(/\$(\w+)/g, (_, name: string) => scene.env[name] ?? ''),
    );
    let output = '';
    const take = {write: (text: string) => (output += text)};
    return {code: await run(words.slice(1), {out: take, err: take, cwd: '/'}), output};
  }
  return new Promise((resolve) => {
    execFile('bash', ['-c', line], {env: {...process.env, ...scene.env}}, (error, stdout, stderr) => {
      resolve({code: error === null ? 0 : Number(error.code), output: stdout + stderr});
    });
  });
}

test('every page of docs/incidents.md has a scene, and every scene a page', (t) => {
  t.deepEqual(pages.map(({title}) => title).sort(), Object.keys(scenes).sort());
});

// First and alone: its scene sets the clock of this process.
for (const {title, steps} of pages) {
  (title === 'The clock jumped' ? test.serial : test)(`docs/incidents.md, followed word by word: ${title}`, async (t) => {
    const scene = await scenes[title]!(t);
    for (const step of steps) {
      if ('where' in step) {
        const instead = await seen(scene, step.where, step.what);
        if (instead !== undefined) t.fail(`${step.where} should show ${step.what}, and shows: ${instead.slice(-2000)}`);
      } else {
        const [, line = '', code = '0', text] = /^(.*?)(?: +# (?:exit code (\d)(?:: )?)?(.*))?$/.exec(step.command)!;
        const typed = await type(scene, line);
        scene.afterCommand?.();
        t.is(typed.code, Number(code), `${line}\n${typed.output}`);
        if (text) t.regex(typed.output, pattern(text), line);
      }
    }
  });
}
