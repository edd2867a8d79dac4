import {Random} from '../../test/helpers/random.js';
import {startRedis} from '../../test/helpers/redis-server.js';
import type {Teardown} from '../../test/helpers/temp-folder.js';
import {keyedRequest} from '../../test/plugins/controllers/certificate-signing/requests.js';
import {clusterInfo, stateOf, type SoakState} from './soak-faults.js';
import {fateOf} from './soak-model.js';
import {soakRounds, type SoakOptions, type SoakReport} from './soak-rounds.js';
import {SoakServers, soakControllers} from './soak-servers.js';
import {SoakWorker} from './soak-worker.js';

/** Makes and deletes objects at random on two servers of one store, which are interrupted again and again, and looks at what is left. */
export async function soak(t: Teardown, options: SoakOptions): Promise<SoakReport> {
  const {seed, workers: count, auditFolder} = options;
  const redis = await startRedis(t as Parameters<typeof startRedis>[0]);
  const servers = new SoakServers(t, redis.url, {arguments: [`--controllers=${soakControllers.join(',')}`], auditFolder});
  await servers.start();
  const {request} = await keyedRequest([{CN: ['soak']}]);
  await servers.send('POST', clusterInfo.slice(0, clusterInfo.lastIndexOf('/')), {
    metadata: {name: 'cluster-info'},
    data: {kubeconfig: 'text'},
  });
  const workers = Array.from({length: count}, (_, index) => new SoakWorker(index, new Random(seed + index), servers, request));
  const sum = (of: (worker: SoakWorker) => number) => workers.reduce((total, worker) => total + of(worker), 0);
  let state: SoakState = {found: new Map(), faults: []};
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
        return sum(({objects}) => objects.size);
      },
      get staying() {
        return sum(({objects}) => [...objects].filter((object) => fateOf(object) === 'stays').length);
      },
      act: async (isOver) => {
        await Promise.all(
          workers.map(async (worker) => {
            while (!isOver()) await worker.act();
          }),
        );
        for (const worker of workers) await worker.release();
      },
      faults: async () => {
        state = await stateOf(workers, servers);
        return state.faults;
      },
      settled: () => {
        for (const worker of workers) worker.settled(state.found);
      },
    },
    options,
  );
}
