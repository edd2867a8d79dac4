import {Random} from '../../test/helpers/random.js';
import {startRedis} from '../../test/helpers/redis-server.js';
import type {Teardown} from '../../test/helpers/temp-folder.js';
import {quietControllers} from '../../testing/quiet-controllers.js';
import {clusterFaults} from './cluster-faults.js';
import {ClusterWorker} from './cluster-worker.js';
import {soakRounds, type SoakOptions, type SoakReport} from './soak-rounds.js';
import {SoakServers} from './soak-servers.js';

const nodes = 6;
/** Enough for what is wanted at a rest; while pods are replaced some wait. */
export const roomOfNode = 60;

/** Has workloads be made, scaled, rolled over and deleted on simulated nodes of two servers, which are interrupted, as is their store, and looks at the pods that there are. */
export async function clusterSoak(t: Teardown, options: SoakOptions): Promise<SoakReport> {
  const {seed, workers: count, auditFolder} = options;
  const redis = await startRedis(t as Parameters<typeof startRedis>[0], {appendonly: true});
  const servers = new SoakServers(t, redis.url, {
    arguments: [`--controllers=${quietControllers.join(',')}`, '--cluster', `--nodes=${nodes}:pods=${roomOfNode}`],
    auditFolder,
  });
  await servers.start();
  const workers = Array.from({length: count}, (_, index) => new ClusterWorker(index, new Random(seed + index), servers));
  const sum = (of: (worker: ClusterWorker) => number) => workers.reduce((total, worker) => total + of(worker), 0);
  return soakRounds(
    servers,
    {
      get actions() {
        return sum(({actions}) => actions);
      },
      get made() {
        return sum(({made}) => made);
      },
      get objects() {
        return sum(({workloads}) => workloads.size);
      },
      get staying() {
        return sum(({workloads}) => workloads.size);
      },
      act: async (isOver) => {
        await Promise.all(
          workers.map(async (worker) => {
            while (!isOver()) await worker.act();
          }),
        );
      },
      faults: () =>
        clusterFaults(
          workers.flatMap(({workloads}) => [...workloads.values()]),
          servers,
          roomOfNode,
        ),
      settled: () => undefined,
    },
    options,
    () => redis.restart(),
  );
}
