import test from 'ava';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {gatesAtRelease} from '../../core/api/gates/gates-at-release.js';
import {projectRoot} from '../helpers/project-root.js';

/** All texts in which a gate can be asked for: code, manifests and schemas. */
function* texts(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, {withFileTypes: true})) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* texts(path);
    else if (/\.(?:ts|json)$/.test(entry.name) && entry.name !== 'gate-table.ts') yield readFileSync(path, 'utf8');
  }
}

const documented = readFileSync(join(projectRoot(), 'docs/releases.md'), 'utf8');

/** What stands in all these texts and matches. */
function found(pattern: RegExp): ReadonlySet<string> {
  const matches = new Set<string>();
  for (const folder of ['core', 'plugins', 'sdk'])
    for (const text of texts(join(projectRoot(), folder))) for (const match of text.matchAll(pattern)) matches.add(match[1]!);
  return matches;
}

test('docs/releases.md names every gate of 1.36 that nothing asks for', (t) => {
  const words = found(/\b([A-Z]\w{4,})\b/g);
  const idle = [...gatesAtRelease('1.36')].filter(([name, {setting}]) => setting !== 'unknown' && !words.has(name)).map(([name]) => name);
  t.true(idle.length > 50);
  t.deepEqual(
    idle.filter((name) => !documented.includes(`\`${name}\``)),
    [],
  );
});

test('docs/releases.md calls no gate one without effect that code or a manifest asks for', (t) => {
  const asked = found(/['"]([A-Z]\w{4,})['"]/g);
  const section = /^## Feature gates without effect$(.*?)^## /ms.exec(documented)![1]!;
  const named = [...section.matchAll(/`([A-Z]\w+)`/g)].map(([, name]) => name!);
  t.true(named.length > 50);
  t.deepEqual(
    named.filter((name) => asked.has(name)),
    [],
  );
});
