// What the single executable begins with. It has the program in itself, compressed; but code that Node.js imports must be in files, and so must compiled
// code of the machine. So it is put into a folder of the user's caches once, under a name that only this program has, and run from there.
'use strict';
const {chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync} = require('node:fs');
const {createRequire} = require('node:module');
const {tmpdir} = require('node:os');
const {dirname, join} = require('node:path');
const {getAsset} = require('node:sea');
const v8 = require('node:v8');
const {brotliDecompressSync} = require('node:zlib');
// core/caches, by the build of this file.
const {foldersIn, keepWhileRunning, removeStale} = require('caches/bounded-folders.js');
const {cachesFolder} = require('caches/caches-folder.js');
const {isPrivateFolder} = require('caches/private-folder.js');

/** Modules that processes of ours begin with: they are started with the path of one where Node.js would be given it, after its flags. */
const programs = ['core/cli/main.js', 'core/cli/envtest/etcd-main.js', 'core/cli/workers/child-main.js'];

// As core/cli/main.ts does.
for (const flag of ['--no-allocation-site-pretenuring', '--no-parallel-scavenge']) v8.setFlagsFromString(flag);
/** Programs used in so many days stay: a process imports more of its own when it first needs it, and says once in a quarter of a day that it runs. */
const sparedDays = 2;
const {folder, isKept} = programFolder();
const args = process.argv.slice(2);
const flags = args.findIndex((argument) => !argument.startsWith('--max-semi-space-size='));
const program = programs.find((name) => args[flags] === join(folder, name));
if (program !== undefined) process.argv.splice(1, flags + 2, args[flags]);
const load = createRequire(join(folder, 'package.json'));
// Not for a folder that is gone with this process.
if (isKept) load('./core/caches/compile-cache.js').enableCompileCache();
else process.env.NODE_DISABLE_COMPILE_CACHE = '1';
if (program === undefined || program === programs[0]) {
  load('./core/cli/run.js')
    .run(process.argv.slice(2))
    .then((code) => process.stdout.write('', () => process.exit(code)));
} else {
  load(`./${program}`);
}

/** Where the program's files are. Written by the first process that needs them; complete once the folder has its name. */
function programFolder() {
  const target = join(cachesFolder(), 'programs', getAsset('id', 'utf8'));
  try {
    if (isPrivateFolder(target)) return kept(target);
    mkdirSync(dirname(target), {recursive: true, mode: 0o700});
    const made = mkdtempSync(`${target}-`);
    if (!isPrivateFolder(made)) {
      rmSync(made, {recursive: true});
      throw new Error('others can write there');
    }
    unpack(made);
    try {
      renameSync(made, target);
    } catch (error) {
      rmSync(made, {recursive: true, force: true});
      // Another process was first.
      if (!isPrivateFolder(target)) throw error;
    }
    prune(target);
    return kept(target);
  } catch {
    // Nothing can be kept: a folder of this process, which is gone when it ends.
    const own = mkdtempSync(join(tmpdir(), 'orch-program-'));
    process.on('exit', () => rmSync(own, {recursive: true, force: true}));
    unpack(own);
    return {folder: own, isKept: false};
  }
}

/** Removes what has not been used for long, and what was not complete when its process ended. */
function prune(used) {
  try {
    removeStale(foldersIn(dirname(used)), used, sparedDays);
  } catch {
    // The next program tries again.
  }
}

function kept(folder) {
  keepWhileRunning(folder);
  return {folder, isKept: true};
}

function unpack(target) {
  chmodSync(target, 0o700);
  const archive = brotliDecompressSync(Buffer.from(getAsset('program.br')));
  const end = archive.indexOf(10);
  let at = end + 1;
  for (const [path, size] of JSON.parse(archive.subarray(0, end).toString())) {
    const file = join(target, path);
    if (!existsSync(dirname(file))) mkdirSync(dirname(file), {recursive: true});
    writeFileSync(file, archive.subarray(at, at + size));
    at += size;
  }
}
