// The comparison of the scheduler with kube-scheduler: npm run compare:scheduling -- --help
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {sameValue} from '../../sdk/validation/index.js';
import {httpsClient} from '../../test/helpers/https-client.js';
import {startKubernetesComponent} from '../../test/helpers/kubernetes-component.js';
import {spawnOrch} from '../../test/helpers/orch-process.js';
import type {Teardown} from '../../test/helpers/temp-folder.js';
import {withCleanup} from '../with-cleanup.js';
import type {ClusterClient} from '../workloads/cluster.js';
import {makePriorities, PlayedSituation, type Outcome} from './play-situation.js';
import {recordedOutcomes, recordOutcomes} from './recorded-outcomes.js';
import type {Situation} from './situation.js';
import {situations} from './situations.js';

const help = `npm run compare:scheduling -- [options] [SITUATION…]

Brings a real kube-scheduler and our scheduler into the same situations, each on a server of this project, and shows what each says of a pod: its node, conditions and
events, and those of pods that leave for it. Without names all of them: ${situations.map(({name}) => `'${name}'`).join(', ')}.

  --release 1.NN          1.36 by default
  --kube-scheduler FILE   the real one; without it, what it was seen to say is taken (rigs/scheduling/recorded)
  --record                writes what the real one says there
`;

/** After which a scheduler has noticed what was made. */
const seenMillis = 500;
/** After which nothing more is expected of either. */
const settleMillis = 1500;

const {values, positionals} = parseArgs({
  options: {
    release: {type: 'string', default: '1.36'},
    'kube-scheduler': {type: 'string'},
    record: {type: 'boolean', default: false},
    help: {type: 'boolean', default: false},
  },
  allowPositionals: true,
});
const chosen = situations.filter(({name}) => positionals.length === 0 || positionals.includes(name));

if (values.help) {
  console.log(help);
} else {
  process.exitCode = await withCleanup(compare);
}

async function compare(t: Teardown): Promise<number> {
  const program = values['kube-scheduler'];
  const recorded = recordedOutcomes(values.release);
  const real = program === undefined ? recorded : await outcomes(await server(t, ['--controllers=apiserver,serviceaccount'], program));
  if (program !== undefined && values.record) recordOutcomes(values.release, {...recorded, ...real});
  const own = await outcomes(await server(t, ['--controllers=apiserver,serviceaccount,kube-scheduler']));
  let different = 0;
  for (const {name} of chosen) {
    const same = sameValue(real[name], own[name]);
    if (!same) different += 1;
    console.log(`${name}: ${same ? 'the same' : `\n  real ${JSON.stringify(real[name])}\n  own  ${JSON.stringify(own[name])}`}`);
  }
  console.log(`${chosen.length - different} of ${chosen.length} situations are the same`);
  return different === 0 ? 0 : 1;
}

async function outcomes(client: ClusterClient): Promise<Record<string, Outcome>> {
  await makePriorities(client);
  const found: Record<string, Outcome> = {};
  for (const situation of chosen) found[situation.name] = await outcomeOf(client, situation);
  return found;
}

async function outcomeOf(client: ClusterClient, situation: Situation): Promise<Outcome> {
  await using played = await PlayedSituation.open(client, situation, () => pause(seenMillis));
  await pause(settleMillis);
  return await played.look();
}

async function server(t: Teardown, extra: readonly string[], program?: string): Promise<ClusterClient> {
  const started = await spawnOrch({
    platform: 'kubernetes',
    store: 'memory',
    startTimeoutMillis: 120_000,
    extra: [`--release=${values.release}`, ...extra],
  });
  t.teardown(async () => void (await started.stop()));
  if (program !== undefined) {
    const caKey = readFileSync(join(started.dataDir, 'pki/ca.key'), 'utf8');
    const flags = ['--leader-elect=false', '--kube-api-qps=1000', '--kube-api-burst=1000'];
    await startKubernetesComponent(t, program, {...started, caKey}, flags);
  }
  return httpsClient(t, started);
}
