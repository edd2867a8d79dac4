// The comparison of policies with real servers: npm run compare:policies -- --help
import type {Teardown} from '../../../test/helpers/temp-folder.js';
import {policyDifferences} from './policy-differences.js';
import {readAnswers, recordedReleases, writeAnswers} from './recorded-answers.js';
import {casesOf, runCases} from './run-cases.js';
import {ownCaseServer, realCaseServer} from './servers.js';
import {comparisonProgram} from '../comparison-program.js';

const help = `npm run compare:policies -- [options]

Writes the same policies, valid and invalid, to a real kube-apiserver and to a server of this project that speaks the same release, sends both the same
requests, and shows in what the answers differ: code, reason, causes, message, warnings, annotations of audit events, what would be stored.

  --release 1.NN         1.36 by default
  --kube-apiserver FILE  the real server; without it, its recorded answers are taken (${recordedReleases().join(', ') || 'there are none yet'})
  --etcd FILE            what it stores in; "etcd" by default
  --record               writes what the real server answers to rigs/compare/recorded/policies
  --only TEXT            cases whose name contains it
  --all                  shows known differences too

The exit code is 1 where a difference is open.
`;

const {values, run} = comparisonProgram(help, {
  record: {type: 'boolean', default: false},
  only: {type: 'string', default: ''},
});

await run(async (t) => compare(t));

async function compare(t: Teardown): Promise<number> {
  const {release, only} = values;
  const cases = casesOf(release).filter(({name}) => name.includes(only));
  const kubeApiserver = values['kube-apiserver'];
  const real = kubeApiserver
    ? await runCases(await realCaseServer(t, {kubeApiserver, etcd: values.etcd}), cases)
    : new Map([...readAnswers(release)].filter(([about]) => about.split(':')[0]!.includes(only)));
  if (kubeApiserver && values.record) writeAnswers(release, real);
  const differences = policyDifferences(real, await runCases(await ownCaseServer(t, release), cases));
  const open = differences.filter((one) => one.known === undefined);
  for (const one of values.all ? differences : open)
    console.log(`${one.about}\n    real ${JSON.stringify(one.real)}\n    own  ${JSON.stringify(one.own)}`);
  console.log(`\n${real.size} requests, ${differences.length} differences, of which ${differences.length - open.length} are known`);
  return open.length > 0 ? 1 : 0;
}
