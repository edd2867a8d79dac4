// The comparison of expressions with real servers: npm run expressions -- --help
import type {Teardown} from '../../test/helpers/temp-folder.js';
import {countsByKind, differencesIn, type FoundDifference} from '../../test/expressions/differences.js';
import {
  openDifferences,
  readRecorded,
  recordedReleases,
  writeOpenDifferences,
  writeRecorded,
  type RecordedCase,
} from '../../test/expressions/recorded.js';
import {asAdministrator, startRealServer} from '../compare/real-server.js';
import {askServer} from './real-answers.js';
import {makeTable} from './table/table.js';
import {comparisonProgram} from '../compare/comparison-program.js';

const help = `npm run expressions -- [options]

Asks a real kube-apiserver about a table of expressions, each as a rule of a CustomResourceDefinition with objects to evaluate it against, and shows in what
ours are judged or evaluated otherwise: compile errors, costs, errors of evaluation, results. Without a server, its recorded answers are taken.

  --release 1.NN         1.36 by default
  --kube-apiserver FILE  the real server; without it, its recorded answers are taken (${recordedReleases().join(', ') || 'there are none yet'})
  --etcd FILE            what it stores in; "etcd" by default
  --record               writes what the real server answers to test/expressions/recorded
  --only TEXT            cases whose kind or rule contains it
  --show N               differences that are shown; 20 by default
  --all                  shows known differences too
  --update               writes how many differences are open, which no change may raise, to test/expressions/recorded/open.json

Examples
  npm run expressions
  npm run expressions -- --only "syntax" --show 200
  npm run expressions -- --release 1.36 --kube-apiserver ./kube-apiserver --etcd ./etcd --record

Differences that stay have their reason in test/expressions/known-differences.ts; the others are open. The exit code is 1 where more are open than before.
`;

const {values, run} = comparisonProgram(help, {
  record: {type: 'boolean', default: false},
  only: {type: 'string', default: ''},
  show: {type: 'string', default: '20'},
  update: {type: 'boolean', default: false},
});

await run(async (t) => {
  const cases = await casesOf(t);
  return show(cases, differencesIn(values.release, cases));
});

async function casesOf(t: Teardown): Promise<readonly RecordedCase[]> {
  const isWanted = ({kind, rule}: RecordedCase['one']) => `${kind} ${rule.rule}`.includes(values.only);
  const {release, etcd, 'kube-apiserver': kubeApiserver} = values;
  if (kubeApiserver === undefined) return readRecorded(release).filter(({one}) => isWanted(one));
  const table = makeTable().filter(isWanted);
  const client = await startRealServer(t, {kubeApiserver, etcd});
  const answers = await askServer({client, headers: asAdministrator}, table, console.log);
  const cases = table.map((one, at) => ({one, answer: answers[at]!}));
  if (values.record) writeRecorded(release, cases);
  return cases;
}

function show(cases: readonly RecordedCase[], differences: readonly FoundDifference[]): number {
  const open = differences.filter(({reason}) => reason === undefined);
  for (const {one, real, own, reason} of (values.all ? differences : open).slice(0, Number(values.show))) {
    console.log(`${one.kind}: ${JSON.stringify(one.rule).slice(0, 400)}${reason === undefined ? '' : `\n    ${reason}`}`);
    console.log(`    real ${JSON.stringify(real).slice(0, 800)}\n    own  ${JSON.stringify(own).slice(0, 800)}`);
  }
  const all = countsByKind(cases.map(({one}) => one.kind));
  const differing = countsByKind(differences.map(({one}) => one.kind));
  const openOfKind = countsByKind(open.map(({one}) => one.kind));
  console.log(`\n${'kind'.padEnd(20)}${'cases'.padStart(8)}${'differ'.padStart(8)}${'open'.padStart(8)}`);
  for (const [kind, count] of all)
    console.log(
      `${kind.padEnd(20)}${[count, differing.get(kind) ?? 0, openOfKind.get(kind) ?? 0].map((one) => String(one).padStart(8)).join('')}`,
    );
  console.log(`${'all'.padEnd(20)}${[cases.length, differences.length, open.length].map((one) => String(one).padStart(8)).join('')}`);
  if (values.update) writeOpenDifferences({...openDifferences(), [values.release]: open.length});
  return open.length > (openDifferences()[values.release] ?? 0) ? 1 : 0;
}
