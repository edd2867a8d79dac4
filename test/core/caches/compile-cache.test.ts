import test, {type ExecutionContext} from 'ava';
import {spawnSync} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {foldersIn, keepWhileRunning, removeStale} from '../../../core/caches/bounded-folders.js';
import {isPrivateFolder} from '../../../core/caches/private-folder.js';
import {tempFolder} from '../../helpers/temp-folder.js';

const module = JSON.stringify(new URL('../../../core/caches/compile-cache.js', import.meta.url).href);
const daysAgo = (days: number) => Date.now() / 1000 - days * 86_400;

/** Runs a program at a place that keeps its code, and then some more of it. */
function start(t: ExecutionContext, caches: string, place: string, more = ''): string {
  const {NODE_COMPILE_CACHE: _, ...env} = process.env;
  const code = `const {enableCompileCache} = await import(${module}); enableCompileCache(${JSON.stringify(place)}); await import('node:url'); ${more}`;
  const argv = ['--input-type=module', '--eval', code];
  const {status, stdout, stderr} = spawnSync(process.execPath, argv, {encoding: 'utf8', env: {...env, XDG_CACHE_HOME: caches}});
  t.is(status, 0, stderr);
  return stdout.trim();
}

/** A folder of compiled code that was used last so many days ago. */
function used(folder: string, days: number): string {
  mkdirSync(folder, {recursive: true});
  writeFileSync(join(folder, '0029bbb5'), 'code');
  utimesSync(folder, daysAgo(days), daysAgo(days));
  return folder;
}

test('compiled code is kept for each place of a program, and what was used last stays when there is too much', (t) => {
  const caches = tempFolder(t, 'orch-compiled-');
  const all = join(caches, 'orch/compiled');
  for (let index = 0; index < 20; index += 1) used(join(all, `p${index}`), index / 2);
  const old = used(join(all, 'old'), 31);
  t.is(
    start(t, caches, '/opt/one', 'console.log((await import("node:module")).default.getCompileCacheDir())').startsWith(join(all, 'p')),
    true,
  );
  t.false(existsSync(old));
  // A few at each start that adds one, the oldest first.
  t.false(existsSync(join(all, 'p19')));
  t.true(existsSync(join(all, 'p18')));
  for (let index = 0; index < 4; index += 1) start(t, caches, `/opt/more${index}`);
  t.is(readdirSync(all).length, 16);
  for (let index = 0; index < 11; index += 1) t.true(existsSync(join(all, `p${index}`)), String(index));
  // The same again adds nothing, and takes nothing away.
  const kept = readdirSync(all);
  start(t, caches, '/opt/one');
  t.deepEqual(readdirSync(all), kept);
});

test('folders that a process cannot run on without stay while they are in use, however many there are', (t) => {
  const folder = tempFolder(t, 'orch-programs-');
  const folders = Array.from({length: 20}, (_, index) => used(join(folder, `program${index}`), index < 18 ? 1 : 3));
  const running = used(join(folder, 'running'), 20);
  const timer = keepWhileRunning(running);
  t.teardown(() => clearInterval(timer));
  t.false(timer.hasRef());
  t.deepEqual(removeStale([...folders, running], folders[0]!, 2).toSorted(), folders.slice(18));
  t.deepEqual(removeStale([...folders.slice(0, 18), running], folders[0]!, 2), []);
  t.deepEqual(foldersIn(folder).toSorted(), [...folders.slice(0, 18), running].toSorted());
});

test('a program runs on when the folder of its compiled code is removed', (t) => {
  const caches = tempFolder(t, 'orch-compiled-');
  const removes = `(await import('node:fs')).rmSync(${JSON.stringify(join(caches, 'orch'))}, {recursive: true}); console.log('done')`;
  t.is(start(t, caches, '/opt/one', removes), 'done');
});

test('code is kept only where nobody else can write, on the whole way there', (t) => {
  const folder = tempFolder(t, 'orch-compiled-');
  const caches = join(folder, 'open/caches');
  mkdirSync(join(caches, 'orch'), {recursive: true});
  t.true(isPrivateFolder(join(caches, 'orch')));
  symlinkSync(caches, join(folder, 'link'));
  t.true(isPrivateFolder(join(folder, 'link/orch')));
  chmodSync(join(folder, 'open'), 0o777);
  t.false(isPrivateFolder(join(caches, 'orch')));
  t.false(isPrivateFolder(join(folder, 'link/orch')));
  start(t, caches, '/opt/one');
  t.deepEqual(
    readdirSync(join(caches, 'orch/compiled')).flatMap((name) => readdirSync(join(caches, 'orch/compiled', name))),
    [],
  );
  // Others may add to it, but not rename what is there.
  chmodSync(join(folder, 'open'), 0o1777);
  t.true(isPrivateFolder(join(caches, 'orch')));
  t.false(isPrivateFolder(join(folder, 'nothing')));
});
