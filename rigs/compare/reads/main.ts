// The comparison of reads with real servers: npm run compare:reads -- --help
import type {Teardown} from '../../../test/helpers/temp-folder.js';
import {startOwnServer} from '../compare.js';
import {asAdministrator, startRealServer} from '../real-server.js';
import {answersOf, compareRecordedReads, differencesOf} from './compare-reads.js';
import {reasonForRead} from './known-reads.js';
import type {ReadDifference} from './read-difference.js';
import {readRequests} from './read-requests.js';
import {releasesWithReads, writeRecordedReads} from './recorded-reads.js';
import {comparisonProgram} from '../comparison-program.js';

const help = `npm run compare:reads -- [options]

Sends the same reads to a real kube-apiserver and to a server of this project that speaks the same release: lists, watches, single objects, discovery and health checks, with
all options, selectors and forms. Shows in what the answers differ: code, headers, document or events.

  --release 1.NN         1.36 by default
  --kube-apiserver FILE  the real server; without it, its recorded answers are taken (${releasesWithReads().join(', ') || 'there are none yet'})
  --etcd FILE            what it stores in; "etcd" by default
  --record               writes what the real server answers to rigs/compare/recorded/reads
  --show N               differences that are shown; 40 by default
  --all                  shows known differences too

Differences that stay have their reason in rigs/compare/reads/known-reads.ts. The exit code is 1 where there are others.
`;

const {values, run} = comparisonProgram(help, {
  record: {type: 'boolean', default: false},
  show: {type: 'string', default: '40'},
});

await run(async (t) => show(await compare(t)));

async function compare(t: Teardown): Promise<{count: number; differences: ReadDifference[]}> {
  const {release} = values;
  if (values['kube-apiserver'] === undefined) return compareRecordedReads(t, release);
  const real = await startRealServer(t, {kubeApiserver: values['kube-apiserver'], etcd: values.etcd});
  const requests = readRequests();
  const theirs = await answersOf(real, requests, asAdministrator);
  if (values.record)
    writeRecordedReads(
      release,
      requests.map((request, at) => ({request, answer: theirs[at]!})),
    );
  const mine = await answersOf(await startOwnServer(t, release), requests, {});
  return {count: requests.length, differences: differencesOf(requests, theirs, mine)};
}

function show({differences, count}: {count: number; differences: ReadDifference[]}): number {
  const open = differences.filter((one) => reasonForRead(one) === undefined);
  for (const {request, real, own} of (values.all ? differences : open).slice(0, Number(values.show))) {
    console.log(`${request.method} ${request.path} ${JSON.stringify(request.headers ?? {})}`);
    console.log(`    real ${JSON.stringify(real).slice(0, 700)}\n    own  ${JSON.stringify(own).slice(0, 700)}`);
  }
  console.log(`\n${count} reads, ${differences.length} differences, of which ${open.length} are open`);
  return open.length > 0 ? 1 : 0;
}
