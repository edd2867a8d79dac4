import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import test from 'ava';
import {projectRoot} from '../helpers/project-root.js';

const read = (path: string) => readFile(join(projectRoot(), path), 'utf8');

/** The part of the document about writes. */
async function walk(): Promise<string> {
  const text = await read('docs/architecture.md');
  return text.slice(text.indexOf('## A write, step by step'), text.indexOf('## How a change reaches a watcher'));
}

/** Filters that run only if they are configured, or in place of another one. */
const conditional = new Set(['export-traces', 'record-requests', 'limit-in-flight']);

test('the walk of a write links the filters of every request in their order', async (t) => {
  const code = await read('core/http/request-handler.ts');
  const files = new Map(
    [...code.matchAll(/^import \{([^}]+)\} from '\.\/filters\/([\w-]+)\.js'/gm)].flatMap(([, names = '', file = '']) =>
      names.split(', ').map((name): [string, string] => [name, file]),
    ),
  );
  const list = code.slice(code.indexOf('const filters'), code.indexOf('];', code.indexOf('const filters')));
  const inCode = [...list.matchAll(/\b(\w+)\(/g)].flatMap(([, name = '']) => files.get(name) ?? []);
  const inWalk = [...(await walk()).matchAll(/core\/http\/filters\/([\w-]+)\.ts/g)].map(([, file = '']) => file);
  const unconditional = (names: readonly string[]) => [...new Set(names)].filter((name) => !conditional.has(name));
  t.true(inCode.length > 10);
  t.deepEqual(unconditional(inWalk), unconditional(inCode));
  t.deepEqual(
    inCode.filter((name) => !inWalk.includes(name)),
    [],
  );
});

test('a POST passes at most 35 files, and the parts of the walk add up', async (t) => {
  const text = await walk();
  const numbers = /A POST passes (\d+) files: (\d+) .*?, (\d+) .*?, (\d+) .*?, (\d+) .*?, (\d+) /s.exec(text)!.slice(1).map(Number);
  const [all = 0, ...parts] = numbers;
  t.true(all <= 35);
  t.is(
    parts.reduce((sum, part) => sum + part),
    all,
  );
  const start = text.slice(text.indexOf('1. **Connection'), text.indexOf('3. **Handler'));
  const linked = new Set([...start.matchAll(/\(\.\.\/core\/http\/(?:[\w-]+\/)?([\w-]+)\.ts\)/g)].map(([, file = '']) => file));
  t.is([...linked].filter((file) => !conditional.has(file)).length, parts[0] ?? 0);
});
