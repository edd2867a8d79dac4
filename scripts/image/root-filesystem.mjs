// Writes the root file system of the container image: Node.js, the libraries that it needs, and the program. There is no shell in it and nothing else.
//
//   node scripts/image/root-filesystem.mjs DIR
//
// The Dockerfile calls it; a machine without containers can too, and run the result with chroot.
import '../require-node.mjs';
import {spawnSync} from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {strip, writeProgram} from '../package/program-folder.mjs';

/** Nobody's name on the machine that runs the image; the number is that of "distroless" images. */
export const user = 65_532;

/** @returns the bytes of all files */
export async function writeRootFilesystem(root, out, target) {
  rmSync(target, {recursive: true, force: true});
  await writeProgram(root, out, join(target, 'opt/orch'));
  const node = join(target, 'usr/bin/node');
  put(process.execPath, node);
  chmodSync(node, 0o755);
  strip(node);
  for (const library of librariesOf(process.execPath)) {
    put(realpathSync(library), join(target, library));
    chmodSync(join(target, library), 0o755);
  }
  mkdirSync(join(target, 'etc'));
  writeFileSync(join(target, 'etc/passwd'), ['root:x:0:0::/:/none', `orch:x:${user}:${user}::/data:/none`, ''].join('\n'));
  writeFileSync(join(target, 'etc/group'), ['root:x:0:', `orch:x:${user}:`, ''].join('\n'));
  for (const folder of ['data', 'tmp', 'proc', 'dev']) mkdirSync(join(target, folder));
  chmodSync(join(target, 'tmp'), 0o1777);
  // Only root can give it to the image's user; elsewhere, as in the Dockerfile, it is given when it is copied.
  if (process.getuid() === 0) chownSync(join(target, 'data'), user, user);
  return sizeOf(target);
}

/** Paths of the shared libraries of a program, with the loader. @throws Error where the program or the machine is of another kind */
function librariesOf(program) {
  const {status, stdout} = spawnSync('ldd', [program], {encoding: 'utf8'});
  if (status !== 0) throw new Error(`ldd cannot tell which libraries ${program} needs: images are made of Node.js for Linux with glibc`);
  return [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path);
}

function put(from, to) {
  mkdirSync(dirname(to), {recursive: true});
  copyFileSync(from, to);
}

function sizeOf(path) {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return stats.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  const [target] = process.argv.slice(2);
  const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
  if (!target || !existsSync(join(root, 'dist/bundle'))) {
    console.error('usage: node scripts/image/root-filesystem.mjs DIR, after npm run build');
    process.exitCode = 1;
  } else {
    const bytes = await writeRootFilesystem(root, join(root, 'dist'), resolve(target));
    console.log(`${(bytes / 1e6).toFixed(1)} MB in ${target}`);
  }
}
