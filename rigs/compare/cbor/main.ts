// The comparison of requests in CBOR with a real server: npm run compare:cbor -- --help
import type {Teardown} from '../../../test/helpers/temp-folder.js';
import {comparisonProgram} from '../comparison-program.js';
import {cborDifferences} from './cbor-differences.js';
import {cborRelease, ownCborAnswers, readCborAnswers, realCborAnswers, writeCborAnswers} from './cbor-servers.js';

const help = `npm run compare:cbor -- [options]

Sends the same requests in CBOR, well-formed and not, to a real kube-apiserver of ${cborRelease} with the gate CBORServingAndStorage and to a server of this
project, and shows in what the answers differ: code, media type, warnings, and how every value is written.

  --kube-apiserver FILE  the real server; without it, its recorded answers are taken
  --etcd FILE            what it stores in; "etcd" by default
  --record               writes what the real server answers to rigs/compare/recorded
  --all                  shows known differences too

The exit code is 1 where a difference is open.
`;

const {values, run} = comparisonProgram(help, {record: {type: 'boolean', default: false}});

await run(compare);

async function compare(t: Teardown): Promise<number> {
  const kubeApiserver = values['kube-apiserver'];
  const real = kubeApiserver ? await realCborAnswers(t, {kubeApiserver, etcd: values.etcd}) : readCborAnswers();
  if (kubeApiserver && values.record) writeCborAnswers(real);
  const differences = cborDifferences(real, await ownCborAnswers(t));
  const open = differences.filter((one) => one.known === undefined);
  for (const one of values.all ? differences : open)
    console.log(`${one.about}\n    real ${JSON.stringify(one.real)}\n    own  ${JSON.stringify(one.own)}`);
  console.log(
    `\n${Object.keys(real).length} requests, ${differences.length} differences, of which ${differences.length - open.length} are known`,
  );
  return open.length > 0 ? 1 : 0;
}
