// What a kube-apiserver says about access: npm run compare:access -- --help
import type {Teardown} from '../../test/helpers/temp-folder.js';
import {accessAnswers} from './access-answers.js';
import {accessConfigurations} from './access-configurations.js';
import {accessDifferences} from './access-differences.js';
import {realFault} from './access-faults.js';
import {accessReleases, readAccess, writeAccess} from './access-record.js';
import {asAdministrator, startRealServer} from './real-server.js';
import {comparisonProgram} from './comparison-program.js';

const help = `npm run compare:access -- [options]

Holds what a server of this project says about configurations of access, reviews and tokens against what a kube-apiserver of the same release says.

  --release 1.NN         1.36 by default; recorded are ${accessReleases.join(', ') || 'none'}
  --kube-apiserver FILE  records what this server says, to rigs/compare/recorded
  --etcd FILE            what it stores in; "etcd" by default
  --all                  shows known differences too
`;

const {values, run} = comparisonProgram(help, {});

await run(async (t) => {
  const {release, 'kube-apiserver': kubeApiserver, etcd} = values;
  if (kubeApiserver !== undefined) await record(t, release, {kubeApiserver, etcd});
  const differences = await accessDifferences(t, release, readAccess(release));
  const open = differences.filter(({why}) => why === undefined);
  for (const {asked, real, own, why} of values.all ? differences : open)
    console.log(
      `${JSON.stringify(asked)}\n  real ${JSON.stringify(real)}\n  own  ${JSON.stringify(own)}${why === undefined ? '' : `\n  ${why}`}`,
    );
  console.log(`${differences.length} differences, of which ${open.length} are open`);
  return open.length > 0 ? 1 : 0;
});

async function record(t: Teardown, release: string, binaries: {kubeApiserver: string; etcd: string}): Promise<void> {
  const faultOf = realFault(t, binaries.kubeApiserver);
  const faults: (string | null)[] = [];
  for (const configuration of accessConfigurations) faults.push((await faultOf(configuration)) ?? null);
  const client = await startRealServer(t, binaries, {'authorization-mode': 'Node,RBAC'});
  writeAccess(release, {faults, answers: await accessAnswers(client, asAdministrator)});
}
