// The comparison with real servers: npm run compare -- --help
import {parseArgs} from 'node:util';
import type {Teardown} from '../../test/helpers/temp-folder.js';
import {comparedTypes, compareRecorded, makeBases, requestsFor, send, startOwnServer, type Comparison} from './compare.js';
import {differenceKinds, differenceOf, signatureOf, wordsOf, type Difference} from './differences.js';
import {reasonFor} from './known/known-differences.js';
import {asAdministrator, startRealServer} from './real-server.js';
import {openDifferences, recordedReleases, writeOpenDifferences, writeRecorded} from './recorded.js';

const help = `npm run compare -- [options]

Sends the same valid and invalid objects of all types to a real kube-apiserver and to a server of this project that speaks the same release, and shows in
what the answers differ: code, reason, causes, message, warnings, or what would be stored. Nothing is written but one object of each type.

  --release 1.NN         1.36 by default
  --kube-apiserver FILE  the real server; without it, its recorded answers are taken (${recordedReleases().join(', ') || 'there are none yet'})
  --etcd FILE            what it stores in; "etcd" by default
  --record               writes what the real server answers to rigs/compare/recorded
  --requests N           about so many; 5000 by default
  --seed N               of the choice among all requests; 1 by default
  --only TEXT            types whose group, version and kind contain it, as in "apps/v1 Dep"
  --show N               groups of differences that are shown, with an example each; 40 by default
  --all                  shows known differences too
  --update               writes how many differences are open, which no change may raise, to rigs/compare/recorded/open.json

Examples
  npm run compare
  npm run compare -- --only "v1 Pod" --show 200
  npm run compare -- --release 1.36 --kube-apiserver ./kube-apiserver --etcd ./etcd --record

Differences that stay have their reason in rigs/compare/known; the others are open. The exit code is 1 where more are open than before.
`;

const {values} = parseArgs({
  options: {
    release: {type: 'string', default: '1.36'},
    'kube-apiserver': {type: 'string'},
    etcd: {type: 'string', default: 'etcd'},
    record: {type: 'boolean', default: false},
    requests: {type: 'string', default: '5000'},
    seed: {type: 'string', default: '1'},
    only: {type: 'string', default: ''},
    show: {type: 'string', default: '40'},
    all: {type: 'boolean', default: false},
    update: {type: 'boolean', default: false},
    help: {type: 'boolean', default: false},
  },
});

if (values.help) {
  console.log(help);
} else {
  const cleanups: (() => unknown)[] = [];
  const end = async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end().finally(() => process.exit(1)));
  try {
    process.exitCode = show(await compare({teardown: (cleanup) => cleanups.push(cleanup)}));
  } finally {
    await end();
  }
}

async function compare(t: Teardown): Promise<Comparison> {
  const {release} = values;
  const isWanted = ({about}: {about: string}) => about.includes(values.only);
  if (values['kube-apiserver'] === undefined) return compareRecorded(t, release, isWanted);
  const own = await startOwnServer(t, release);
  const real = await startRealServer(t, {kubeApiserver: values['kube-apiserver'], etcd: values.etcd});
  const {types, missing} = await comparedTypes(own, real, asAdministrator);
  for (const type of missing) console.log(`only the real server has ${type}`);
  for (const [name, client, headers] of [
    ['own', own, {}],
    ['real', real, asAdministrator],
  ] as const)
    for (const line of await makeBases(client, types, headers)) console.log(`the ${name} server refuses ${line}`);
  const requests = requestsFor(types, Number(values.requests), Number(values.seed)).filter(isWanted);
  const theirs = await send(real, requests, asAdministrator, progressOf('real', requests.length));
  const mine = await send(own, requests, {}, progressOf('own', requests.length));
  if (values.record)
    writeRecorded(
      release,
      requests.map((request, at) => ({request, answer: theirs[at]!})),
    );
  return {count: requests.length, differences: requests.flatMap((request, at) => differenceOf(request, theirs[at]!, mine[at]!) ?? [])};
}

function progressOf(name: string, all: number): (done: number) => void {
  return (done) => {
    if (done % 1000 === 0) console.log(`${name}: ${done} of ${all}`);
  };
}

function show({differences, count}: Comparison): number {
  const open = differences.filter((one) => reasonFor(one) === undefined);
  const groups = new Map<string, Difference[]>();
  for (const one of values.all ? differences : open) {
    const signature = signatureOf(one);
    groups.set(signature, [...(groups.get(signature) ?? []), one]);
  }
  for (const found of [...groups.values()].sort((a, b) => b.length - a.length).slice(0, Number(values.show))) {
    const [example] = found as [Difference];
    const {real, own} = wordsOf(example);
    const types = [...new Set(found.map(({request}) => request.about.split(' ').slice(0, 2).join(' ')))];
    console.log(
      `${found.length} × ${example.kind}, in ${types.slice(0, 4).join(', ')}${types.length > 4 ? ` and ${types.length - 4} more` : ''}`,
    );
    console.log(`    ${example.request.method} ${example.request.about}: ${JSON.stringify(example.request.body).slice(0, 400)}`);
    console.log(`    real ${real.slice(0, 500)}\n    own  ${own.slice(0, 500)}`);
  }
  console.log(`\n${count} requests, ${differences.length} differences, of which ${differences.length - open.length} are known`);
  for (const kind of differenceKinds)
    console.log(`  ${kind.padEnd(10)}${String(open.filter((one) => one.kind === kind).length).padStart(6)}`);
  console.log(`  in ${groups.size} groups`);
  if (values.update) writeOpenDifferences({...openDifferences(), [values.release]: open.length});
  return open.length > (openDifferences()[values.release] ?? 0) ? 1 : 0;
}
