// The comparison of controllers with kube-controller-manager: npm run compare:workloads -- --help
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {httpsClient} from '../../test/helpers/https-client.js';
import {startKubernetesComponent} from '../../test/helpers/kubernetes-component.js';
import {spawnOrch} from '../../test/helpers/orch-process.js';
import {tempFolder, type Teardown} from '../../test/helpers/temp-folder.js';
import type {ClusterClient} from './cluster.js';
import {autoscalerMillis, ownConfiguration, ownControllers} from './controllers.js';
import {startMetricsServer, type MetricsServer} from './metrics-server.js';
import {firstDifference, playScenario, recordedHistory, recordHistory} from './run-scenario.js';
import {scenarios, type Scenario} from './scenarios/index.js';
import {withCleanup} from '../with-cleanup.js';

const help = `npm run compare:workloads -- [options] [SCENARIO…]

Plays the same scenarios with a real kube-controller-manager and with our controllers, each on a server of this project, and shows the first difference of each: objects, status,
conditions, events after each step. Without names all of them: ${scenarios.map(({name}) => name).join(', ')}.

  --release 1.NN                  1.36 by default
  --kube-controller-manager FILE  the real one; without it, what it was seen to do is taken (rigs/workloads/recorded)
  --record                        writes what the real one does there
  --concurrency N                 scenarios at the same time (3)
`;

const {values, positionals} = parseArgs({
  options: {
    release: {type: 'string', default: '1.36'},
    'kube-controller-manager': {type: 'string'},
    record: {type: 'boolean', default: false},
    concurrency: {type: 'string', default: '3'},
    help: {type: 'boolean', default: false},
  },
  allowPositionals: true,
});

const realControllers = [
  'deployment-controller',
  'replicaset-controller',
  'replicationcontroller-controller',
  'statefulset-controller',
  'daemonset-controller',
  'job-controller',
  'cronjob-controller',
  'disruption-controller',
  'horizontal-pod-autoscaler-controller',
];

const chosen = scenarios.filter(({name}) => positionals.length === 0 || positionals.includes(name));

if (values.help) {
  console.log(help);
} else {
  process.exitCode = await withCleanup(compare);
}

async function compare(t: Teardown): Promise<number> {
  const program = values['kube-controller-manager'];
  const real = program === undefined ? undefined : await startReal(t, program);
  const config = join(tempFolder(t), 'config.json');
  writeFileSync(config, JSON.stringify(ownConfiguration));
  const own = await startServer(t, [`--controllers=${ownControllers.join()}`, `--config=${config}`]);
  let different = 0;
  const waiting = [...chosen];
  const play = async (): Promise<void> => {
    for (let scenario = waiting.shift(); scenario; scenario = waiting.shift()) {
      const difference = await differenceOf(real, own, scenario);
      console.log(`${scenario.name}: ${difference ?? 'the same'}`);
      if (difference !== undefined) different += 1;
    }
  };
  await Promise.all(Array.from({length: Number(values.concurrency)}, play));
  console.log(`${chosen.length - different} of ${chosen.length} scenarios are the same`);
  return different === 0 ? 0 : 1;
}

/** A server with controllers, and what is measured there. */
interface Side {
  readonly client: ClusterClient;
  readonly metrics: MetricsServer;
}

/** A scenario that cannot be played to its end differs too. */
async function differenceOf(real: Side | undefined, own: Side, scenario: Scenario): Promise<string | undefined> {
  try {
    const theirs = real ? await playScenario(real.client, scenario, real.metrics) : recordedHistory(values.release, scenario);
    if (!theirs) return 'nothing is recorded of it';
    if (real && values.record) recordHistory(values.release, scenario, theirs);
    return firstDifference(theirs, await playScenario(own.client, scenario, own.metrics));
  } catch (error) {
    return (error as Error).message;
  }
}

async function startServer(
  t: Teardown,
  extra: readonly string[],
  then?: (server: Awaited<ReturnType<typeof spawnOrch>>) => Promise<unknown>,
): Promise<Side> {
  const server = await spawnOrch({platform: 'kubernetes', startTimeoutMillis: 120_000, extra: [`--release=${values.release}`, ...extra]});
  t.teardown(async () => void (await server.stop()));
  const client = httpsClient(t, server);
  const metrics = await startMetricsServer(t);
  await metrics.register(client);
  await then?.(server);
  return {client, metrics};
}

/** A server without controllers of workloads, for which kube-controller-manager does the work. */
function startReal(t: Teardown, program: string): Promise<Side> {
  const seconds = (millis: number) => `${millis / 1000}s`;
  return startServer(t, ['--controllers=apiserver,serviceaccount', '--aggregator-proxy-to-loopback=true'], (server) =>
    startKubernetesComponent(t, program, {...server, caKey: readFileSync(join(server.dataDir, 'pki/ca.key'), 'utf8')}, [
      `--controllers=${realControllers.join()}`,
      '--use-service-account-credentials=true',
      '--leader-elect=false',
      '--kube-api-qps=1000',
      '--kube-api-burst=1000',
      `--horizontal-pod-autoscaler-sync-period=${seconds(autoscalerMillis.sync)}`,
      `--horizontal-pod-autoscaler-downscale-stabilization=${seconds(autoscalerMillis.downscaleStabilization)}`,
      `--horizontal-pod-autoscaler-cpu-initialization-period=${seconds(autoscalerMillis.cpuInitialization)}`,
      `--horizontal-pod-autoscaler-initial-readiness-delay=${seconds(autoscalerMillis.initialReadinessDelay)}`,
    ]),
  );
}
