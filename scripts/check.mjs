// Everything that can be said about the code without running it. `npm run check`; also the first part of `npm test`.
//
//   node scripts/check.mjs [--no-build] [--root DIR]
import './require-node.mjs';
import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {checkCitations} from './check-citations.mjs';
import {checkConstants} from './check-constants.mjs';
import {checkCookbook} from './check-cookbook.mjs';
import {checkLayers} from './check-layers.mjs';
import {checkPackages} from './check-packages.mjs';
import {checkPublished} from './check-published.mjs';
import {checkSdkSurface} from './check-sdk-surface.mjs';
import {checkSizes} from './check-sizes.mjs';
import {checkWords} from './check-words.mjs';
import {checkChangeKind} from './release/change-kind.mjs';

const home = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const {values} = parseArgs({options: {'no-build': {type: 'boolean', default: false}, root: {type: 'string', default: home}}});
const root = resolve(values.root);

/** Runs a program; its output is the list of problems when it fails. */
function program(command, argv) {
  const result = spawnSync(command, argv, {cwd: root, encoding: 'utf8', maxBuffer: 1 << 28});
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}`.trim();
  if (result.error) return {problems: [`${command}: ${result.error.message}`]};
  return result.status === 0 ? {problems: [], note: output.split('\n').at(-1)} : {problems: [output || `exit code ${result.status}`]};
}

/** Folders whose TypeScript and JavaScript `npm run format` lays out; .oxfmtrc.json says how. */
const formatted = ['core', 'plugins', 'sdk', 'testing', 'test', 'rigs', 'scripts', 'examples'];
const generator = join(root, 'scripts/schemas/generate.mjs');
const claims = join(root, 'scripts/claims.mjs');
const rigs = join(root, 'scripts/build-rigs.mjs');
const lifetimes = join(root, 'scripts/check-lifetimes.mjs');
const releaseCheck = join(root, 'scripts/schemas/check-releases.mjs');
const typeGenerator = join(root, 'scripts/generate-types.mjs');
const steps = [
  ['build', () => program(process.execPath, [join(root, 'scripts/build.mjs')]), () => !values['no-build']],
  ['rigs', () => program(process.execPath, [rigs]), () => existsSync(rigs)],
  ['lint', () => program(join(home, 'node_modules/.bin/oxlint'), ['--type-aware', '--report-unused-disable-directives'])],
  [
    'format',
    () => {
      const {problems, note} = program(join(home, 'node_modules/.bin/oxfmt'), ['--check', ...formatted]);
      return {problems: problems.length === 0 ? [] : [...problems, 'npm run format lays them out'], note};
    },
  ],
  ['layers', () => checkLayers(root)],
  ['sizes', () => checkSizes(root)],
  ['words', () => checkWords(root)],
  ['citations', () => checkCitations(root)],
  ['constants', () => checkConstants(root)],
  ['claims', () => program(process.execPath, [claims]), () => existsSync(claims)],
  ['cookbook', () => checkCookbook(root)],
  ['packages', () => checkPackages(root), () => existsSync(join(root, 'package-lock.json'))],
  ['releases', () => program(process.execPath, [releaseCheck]), () => existsSync(releaseCheck)],
  ['schemas', () => program(process.execPath, [generator, '--check']), () => existsSync(generator)],
  ['types', () => program(process.execPath, [typeGenerator, '--check']), () => existsSync(typeGenerator)],
  ['published', () => checkPublished(root), () => existsSync(join(root, 'docs/api'))],
  ['surface', () => checkSdkSurface(root), () => existsSync(join(root, process.env.ORCH_OUT ?? 'dist', 'sdk/index.d.ts'))],
  [
    'lifetimes',
    () => program(process.execPath, [lifetimes]),
    () => existsSync(lifetimes) && existsSync(join(home, process.env.ORCH_OUT ?? 'dist', 'core/lifetimes/declared-lifetimes.js')),
  ],
  // Last, when all reports are what is there.
  ['change', () => checkChangeKind(root), () => existsSync(join(root, 'docs/api'))],
];

const failures = [];
for (const [name, run, applies] of steps) {
  // Asked only now: what a step needs may be made by the one before.
  if (applies && !applies()) continue;
  const started = performance.now();
  const {problems, warnings = [], rooms = [], files, median, note} = await run();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const about = [files === undefined ? note : `${files} files`, median === undefined ? undefined : `median ${median} lines`]
    .filter(Boolean)
    .join(', ');
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(10)} ${seconds.padStart(5)} s  ${about}`);
  for (const room of rooms) console.log(`     ${room}`);
  if (warnings.length > 0) console.log(`     ${warnings.length} warnings: node scripts/check-${name}.mjs shows them`);
  if (problems.length > 0) failures.push({name, problems});
}
for (const {name, problems} of failures) {
  console.log(`\n${name}:`);
  for (const problem of problems) console.log(`  ${problem.replaceAll('\n', '\n  ')}`);
}
if (failures.length > 0) console.log(`\ncheck failed: ${failures.map((failure) => failure.name).join(', ')}`);
process.exitCode = failures.length > 0 ? 1 : 0;
