// The comparison of definitions and their objects with real servers: npm run compare:definitions -- --help
import type {Teardown} from '../../../test/helpers/temp-folder.js';
import {differenceKinds, signatureOf, wordsOf, type Difference} from '../differences.js';
import {startRealServer} from '../real-server.js';
import {compareScenarios, recordScenarios, type DefinitionComparison} from './compare-definitions.js';
import {reasonForDefinitions} from './known-of-definitions.js';
import {openDifferences, readScenarios, recordedReleases, writeOpenDifferences, writeScenarios} from './recorded-scenarios.js';
import {comparisonProgram} from '../comparison-program.js';

const help = `npm run compare:definitions -- [options]

Sends requests about CustomResourceDefinitions and their objects to a real kube-apiserver and to a server of this project that speaks the same release, and
shows in what the answers differ: validation of both, ratcheting, formats, selectors, tables, subresources, conversion, conditions and published schemas.

  --release 1.NN         1.36 by default
  --kube-apiserver FILE  the real server, whose answers are written to rigs/compare/definitions/recorded; without it, what is there is taken (${recordedReleases().join(', ') || 'nothing yet'})
  --etcd FILE            what it stores in; "etcd" by default
  --only TEXT            scenarios whose name contains it, as in "ratcheting"; the others stay as they were recorded
  --show N               groups of differences that are shown, with an example each; 40 by default
  --all                  shows known differences too
  --update               writes how many differences are open, which no change may raise

Differences that stay have their reason in rigs/compare/definitions/known-of-definitions.ts; the others are open. The exit code is 1 where more are open than before.
`;

const {values, run} = comparisonProgram(help, {
  only: {type: 'string', default: ''},
  show: {type: 'string', default: '40'},
  update: {type: 'boolean', default: false},
});

await run(async (t) => show(await compare(t)));

async function compare(t: Teardown): Promise<DefinitionComparison> {
  const {release} = values;
  if (values['kube-apiserver'] !== undefined) {
    const real = await startRealServer(t, {kubeApiserver: values['kube-apiserver'], etcd: values.etcd});
    const isWanted = (name: string) => name.includes(values.only);
    const fresh = await recordScenarios(real, isWanted, (done) => {
      if (done % 500 === 0) console.log(`real: ${done}`);
    });
    const kept = recordedReleases().includes(release) ? readScenarios(release).filter(({scenario}) => !isWanted(scenario.name)) : [];
    writeScenarios(release, [...kept, ...fresh]);
  }
  return compareScenarios(
    t,
    release,
    readScenarios(release).filter(({scenario}) => scenario.name.includes(values.only)),
  );
}

function show({differences, count}: DefinitionComparison): number {
  const open = differences.filter((one) => reasonForDefinitions(one) === undefined);
  const groups = new Map<string, Difference[]>();
  for (const one of values.all ? differences : open) {
    const signature = signatureOf(one);
    groups.set(signature, [...(groups.get(signature) ?? []), one]);
  }
  for (const found of [...groups.values()].sort((a, b) => b.length - a.length).slice(0, Number(values.show))) {
    const [example] = found as [Difference];
    const {real, own} = wordsOf(example);
    console.log(`${found.length} × ${example.kind}, ${example.request.method} ${example.request.path} ${example.request.about}`);
    console.log(`    ${(JSON.stringify(example.request.body) ?? '').slice(0, 500)}`);
    console.log(`    real ${real.slice(0, 700)}\n    own  ${own.slice(0, 700)}`);
  }
  console.log(`\n${count} requests, ${differences.length} differences, of which ${differences.length - open.length} are known`);
  for (const kind of differenceKinds)
    console.log(`  ${kind.padEnd(10)}${String(open.filter((one) => one.kind === kind).length).padStart(6)}`);
  console.log(`  in ${groups.size} groups`);
  if (values.update && values.only === '') writeOpenDifferences({...openDifferences(), [values.release]: open.length});
  return values.only === '' && open.length > (openDifferences()[values.release] ?? 0) ? 1 : 0;
}
