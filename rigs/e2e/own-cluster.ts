import {spawnOrch} from '../../test/helpers/orch-process.js';
import type {Teardown} from '../../test/helpers/temp-folder.js';

/** A cluster of this project alone: its server, its controllers, its scheduler, and nodes that are simulated. Resolves with the path of the administrator's client configuration. */
export async function startOwnCluster(t: Teardown, release: string, nodes: number): Promise<string> {
  const server = await spawnOrch({
    platform: 'kubernetes',
    extra: ['--release', release, '--cluster', '--nodes', String(nodes), '--controllers=*'],
  });
  t.teardown(async () => void (await server.stop()));
  return server.kubeconfig;
}
