// The comparison with real servers: npm run compare -- --help
import type {Teardown} from '../../test/helpers/temp-folder.js';
import {comparedTypes, compareRecorded, makeBases, requestsFor, send, startOwnServer, type Comparison} from './compare.js';
import {differenceKinds, differenceOf, signatureOf, wordsOf, type Difference} from './differences.js';
import {reasonFor} from './known/known-differences.js';
import {requestKinds} from './kinds/all-kinds.js';
import {asAdministrator, startRealServer} from './real-server.js';
import {openDifferences, recordedReleases, testedOneIn, writeOpenDifferences, writeRecorded} from './recorded.js';
import {comparisonProgram} from './comparison-program.js';

const help = `npm run compare -- [options]

Sends the same valid and invalid objects of all types to a real kube-apiserver and to a server of this project that speaks the same release, and shows in
what the answers differ: code, reason, causes, message, warnings, or what would be stored. Nothing is written but one object of each type.

  --release 1.NN         1.36 by default
  --kube-apiserver FILE  the real server; without it, its recorded answers are taken (${recordedReleases().join(', ') || 'there are none yet'})
  --etcd FILE            what it stores in; "etcd" by default
  --record               writes what the real server answers to rigs/compare/recorded
  --kind KIND            of requests, can be given several times: ${requestKinds.join(', ')}; all by default
  --requests N           about so many of each kind
  --seed N               of the choice among all requests; 1 by default
  --one-in N             of the recorded requests, beside those of the kind objects
  --only TEXT            types whose group, version and kind contain it, as in "apps/v1 Dep"
  --show N               groups of differences that are shown, with an example each; 40 by default
  --all                  shows known differences too, and how many have which reason
  --update               takes the requests of the test, one in ${testedOneIn}, and writes how many differences are open, which no change may raise, to
                         rigs/compare/recorded/open.json

Examples
  npm run compare
  npm run compare -- --only "v1 Pod" --show 200
  npm run compare -- --release 1.36 --kube-apiserver ./kube-apiserver --etcd ./etcd --record

Differences that stay have their reason in rigs/compare/known; the others are open. With --one-in ${testedOneIn} the exit code is 1 where more
are open than before.
`;

const {values, run} = comparisonProgram(help, {
  record: {type: 'boolean', default: false},
  requests: {type: 'string'},
  kind: {type: 'string', multiple: true},
  seed: {type: 'string', default: '1'},
  'one-in': {type: 'string', default: '1'},
  only: {type: 'string', default: ''},
  show: {type: 'string', default: '40'},
  update: {type: 'boolean', default: false},
});

await run(async (t) => show(await compare(t)));

/** What is written down, and held against it, is counted among the requests that the test sends. */
function sampled(): number {
  return values.update ? testedOneIn : Number(values['one-in']);
}

async function compare(t: Teardown): Promise<Map<string, Comparison>> {
  const {release} = values;
  const kinds = values.kind;
  const isWanted = ({about}: {about: string}) => about.includes(values.only);
  if (values['kube-apiserver'] === undefined) return compareRecorded(t, release, {...(kinds && {kinds}), isWanted, oneIn: sampled()});
  const own = await startOwnServer(t, release);
  const real = await startRealServer(t, {kubeApiserver: values['kube-apiserver'], etcd: values.etcd});
  const {types, missing} = await comparedTypes(own, real, asAdministrator);
  for (const type of missing) console.log(`only the real server has ${type}`);
  for (const [name, client, headers] of [
    ['own', own, {}],
    ['real', real, asAdministrator],
  ] as const)
    for (const line of await makeBases(client, types, headers)) console.log(`the ${name} server refuses ${line}`);
  const found = new Map<string, Comparison>();
  for (const kind of kinds ?? requestKinds) {
    const requests = requestsFor(
      kind,
      types,
      Number(values.seed),
      values.requests === undefined ? undefined : Number(values.requests),
    ).filter(isWanted);
    const theirs = await send(real, requests, asAdministrator, progressOf(`real, ${kind}`, requests.length));
    if (values.record)
      writeRecorded(
        release,
        kind,
        requests.map((request, at) => ({request, answer: theirs[at]!})),
      );
    const mine = await send(own, requests, {}, progressOf(`own, ${kind}`, requests.length));
    found.set(kind, {
      count: requests.length,
      differences: requests.flatMap((request, at) => differenceOf(request, theirs[at]!, mine[at]!) ?? []),
    });
  }
  return found;
}

function progressOf(name: string, all: number): (done: number) => void {
  return (done) => {
    if (done % 1000 === 0) console.log(`${name}: ${done} of ${all}`);
  };
}

function show(found: Map<string, Comparison>): number {
  const all = [...found.values()].flatMap(({differences}) => differences);
  const isOpen = (one: Difference) => reasonFor(one) === undefined;
  const groups = new Map<string, Difference[]>();
  for (const one of values.all ? all : all.filter(isOpen)) {
    const signature = signatureOf(one);
    groups.set(signature, [...(groups.get(signature) ?? []), one]);
  }
  for (const group of [...groups.values()].sort((a, b) => b.length - a.length).slice(0, Number(values.show))) showGroup(group);
  console.log(`\n${''.padEnd(16)}requests   known    open  ${differenceKinds.map((kind) => kind.padStart(10)).join('')}`);
  const open: Record<string, number> = {};
  for (const [kind, {count, differences}] of found) {
    const left = differences.filter(isOpen);
    open[kind] = left.length;
    const parts = differenceKinds.map((name) => String(left.filter((one) => one.kind === name).length).padStart(10));
    console.log(
      `${kind.padEnd(16)}${String(count).padStart(8)}${String(differences.length - left.length).padStart(8)}${String(left.length).padStart(8)}  ${parts.join('')}`,
    );
  }
  console.log(`in ${groups.size} groups`);
  if (values.all) showReasons(all);
  const before = openDifferences()[values.release] ?? {};
  if (values.update) writeOpenDifferences({...openDifferences(), [values.release]: {...before, ...open}});
  return sampled() === testedOneIn && Object.entries(open).some(([kind, count]) => count > (before[kind] ?? 0)) ? 1 : 0;
}

function showReasons(differences: readonly Difference[]): void {
  const counts = new Map<string, number>();
  for (const one of differences) {
    const reason = reasonFor(one) ?? 'open';
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  for (const [reason, count] of [...counts].sort((a, b) => b[1] - a[1])) console.log(`${String(count).padStart(8)}  ${reason}`);
}

function showGroup(group: readonly Difference[]): void {
  const [example] = group as [Difference];
  const {real, own} = wordsOf(example);
  const types = [...new Set(group.map(({request}) => request.about.split(' ').slice(0, 2).join(' ')))];
  const {method, path, body, text, headers, about} = example.request;
  console.log(
    `${group.length} × ${example.kind}, in ${types.slice(0, 4).join(', ')}${types.length > 4 ? ` and ${types.length - 4} more` : ''}`,
  );
  const sent = text ?? JSON.stringify(body) ?? '';
  console.log(
    `    ${method} ${path.slice(0, 200)} (${about.slice(0, 100)})${headers ? ` ${Object.values(headers)[0]}` : ''}: ${sent.slice(0, 300)}`,
  );
  console.log(`    real ${real.slice(0, 500)}\n    own  ${own.slice(0, 500)}`);
}
