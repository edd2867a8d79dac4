// Checks how long versions of resource types, flags, commands, feature gates and metrics live: what is declared must keep the promises of the
// stability levels, and what was there once may be missing only when it is among the removed ones.
//
//   node scripts/check-lifetimes.mjs [--update] [--root DIR]
//
// docs/api/command-line.txt lists the flags, commands, feature gates and stable metrics with their labels. With --update it is written anew. Needs the compiled
// code: dist, or the folder that ORCH_OUT names.
import './require-node.mjs';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {parseArgs} from 'node:util';
import {filesBelow} from './source-files.mjs';

const home = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const list = 'docs/api/command-line.txt';
const head = `# Flags, commands, feature gates and metrics that people may rely on. Written by scripts/check-lifetimes.mjs --update.
`;

async function main() {
  const {values} = parseArgs({options: {update: {type: 'boolean', default: false}, root: {type: 'string', default: home}}});
  const root = resolve(values.root);
  const out = resolve(home, process.env.ORCH_OUT ?? 'dist');
  const compiled = (path) => import(pathToFileURL(join(out, path)).href);
  const [lifetimes, {commands}, {removedElements}, {recordedGates}, {promiseRelease}, {declaredMetrics}, {removedMetrics}] =
    await Promise.all(
      [
        'core/lifetimes/declared-lifetimes.js',
        'core/cli/commands.js',
        'core/lifetimes/removed-elements.js',
        'core/api/gates/gates-at-release.js',
        'core/api/lifetimes/releases.js',
        'core/lifetimes/declared-metrics.js',
        'core/lifetimes/removed-metrics.js',
      ].map(compiled),
    );
  const manifests = filesBelow(join(root, 'plugins'), /^plugin\.json$/).map((path) =>
    JSON.parse(readFileSync(join(root, 'plugins', path), 'utf8')),
  );
  const declared = {manifests, commands};
  const problems = lifetimes.declaredLifetimeFaults(declared).map(({subject, text}) => `${subject}: ${text}`);

  const present = [
    ...lifetimes.commandLineElements(declared).map(({name}) => name),
    // An alpha gate may go at any time.
    ...lifetimes
      .featureGates(declared)
      .filter(({stage}) => stage !== 'alpha')
      .map(({name}) => `gate ${name}`),
    // Who asks for a metric asks for its labels; an alpha one may go at any time.
    ...declaredMetrics.filter(({stability}) => stability === 'STABLE').map(({name, labels = []}) => `metric ${name}{${labels.join(',')}}`),
  ].sort();
  const removed = new Set([
    ...removedElements.map(({name}) => name),
    ...recordedGates(promiseRelease).removed.map(({name}) => `gate ${name}`),
  ]);
  const removedMetric = new Set(removedMetrics.map(({name}) => `metric ${name}`));
  const file = join(root, list);
  const recorded = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'))
    : [];
  for (const name of recorded) {
    if (!present.includes(name) && !removed.has(name) && !removedMetric.has(name.replace(/\{.*/, '')))
      problems.push(
        `${name}: it is gone and does not stand among the removed ones (core/lifetimes/removed-elements.ts, core/api/gates/gate-table.ts, core/lifetimes/removed-metrics.ts)`,
      );
  }
  const text = `${head}${present.join('\n')}\n`;
  if (values.update && problems.length === 0) {
    mkdirSync(dirname(file), {recursive: true});
    writeFileSync(file, text);
  } else if (!values.update && (!existsSync(file) || readFileSync(file, 'utf8') !== text) && problems.length === 0) {
    problems.push(`${list}: not what is there now; npm exec -- node scripts/check-lifetimes.mjs --update writes it`);
  }
  for (const problem of problems) console.log(problem);
  console.log(
    `lifetimes: ${manifests.length} manifests, ${present.length} flags, commands, gates and metrics, ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`,
  );
  if (problems.length > 0) process.exitCode = 1;
}

await main();
