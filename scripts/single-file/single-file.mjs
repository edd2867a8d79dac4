// Writes a single executable: Node.js, the program, and LMDB's compiled part, in one file.
//
//   node scripts/single-file/single-file.mjs FILE
//
// At its first run it puts the program beside the user's other caches, and runs it from there (scripts/single-file/main.cjs).
import '../require-node.mjs';
import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {brotliCompressSync, constants} from 'node:zlib';
import {strip, writeProgram} from '../package/program-folder.mjs';

const home = dirname(fileURLToPath(import.meta.url));

/** Node.js looks for this in itself (nodejs.org/api/single-executable-applications.html). */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

export async function writeSingleFile(root, out, target) {
  const work = mkdtempSync(join(tmpdir(), 'orch-single-'));
  try {
    await writeProgram(root, out, join(work, 'program'));
    const archive = archiveOf(join(work, 'program'));
    const id = createHash('sha256').update(archive).digest('hex').slice(0, 16);
    writeFileSync(join(work, 'program.br'), brotliCompressSync(archive, {params: {[constants.BROTLI_PARAM_QUALITY]: 6}}));
    writeFileSync(join(work, 'id'), id);
    const {rolldown} = await import('rolldown');
    const alias = {caches: join(out, 'core/caches')};
    const main = await rolldown({input: join(home, 'main.cjs'), platform: 'node', resolve: {alias}});
    await main.write({file: join(work, 'main.cjs'), format: 'cjs'});
    await main.close();
    const config = {
      main: join(work, 'main.cjs'),
      output: join(work, 'blob'),
      disableExperimentalSEAWarning: true,
      execArgv: ['--max-semi-space-size=16'],
      assets: {'program.br': join(work, 'program.br'), id: join(work, 'id')},
    };
    writeFileSync(join(work, 'config.json'), JSON.stringify(config));
    run(process.execPath, ['--experimental-sea-config', join(work, 'config.json')]);
    const file = join(work, 'file');
    copyFileSync(process.execPath, file);
    chmodSync(file, 0o755);
    strip(file);
    const {inject} = (await import('postject')).default;
    await inject(file, 'NODE_SEA_BLOB', readFileSync(join(work, 'blob')), {sentinelFuse: fuse});
    copyFileSync(file, target);
    chmodSync(target, 0o755);
    return statSync(target).size;
  } finally {
    rmSync(work, {recursive: true, force: true});
  }
}

/** All files of a folder: a line of JSON with path and size of each, then their bytes. */
function archiveOf(folder) {
  const files = filesIn(folder).toSorted();
  const bytes = files.map((file) => readFileSync(join(folder, file)));
  const list = files.map((file, index) => [file, bytes[index].length]);
  return Buffer.concat([Buffer.from(`${JSON.stringify(list)}\n`), ...bytes]);
}

function filesIn(folder, prefix = '') {
  return readdirSync(join(folder, prefix), {withFileTypes: true}).flatMap((entry) =>
    entry.isDirectory() ? filesIn(folder, `${prefix}${entry.name}/`) : [`${prefix}${entry.name}`],
  );
}

function run(command, argv) {
  const {status, stderr, error} = spawnSync(command, argv, {encoding: 'utf8'});
  if (status !== 0) throw new Error(`${command} ${argv.join(' ')}: ${error?.message ?? stderr}`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  const [target] = process.argv.slice(2);
  const root = resolve(home, '../..');
  if (!target || !existsSync(join(root, 'dist/bundle'))) {
    console.error('usage: node scripts/single-file/single-file.mjs FILE, after npm run build');
    process.exitCode = 1;
  } else {
    const bytes = await writeSingleFile(root, join(root, 'dist'), resolve(target));
    console.log(`${(bytes / 1e6).toFixed(1)} MB in ${target}`);
  }
}
