import {httpsClient} from '../../test/helpers/https-client.js';
import {spawnOrch} from '../../test/helpers/orch-process.js';
import type {Teardown} from '../../test/helpers/temp-folder.js';

/** Images of which the suite means that no registry has them. */
const missingImages = ['webserver:404', 'foo:non-existent'];

/** A cluster of this project alone: its server, its controllers, its scheduler, and nodes that are simulated. Resolves with the path of the administrator's client configuration. */
export async function startOwnCluster(t: Teardown, release: string, nodes: number): Promise<string> {
  const server = await spawnOrch({
    platform: 'kubernetes',
    extra: ['--release', release, '--cluster', '--nodes', String(nodes), '--controllers=*'],
  });
  t.teardown(async () => void (await server.stop()));
  const made = await httpsClient(t, server).post('/apis/simulate.orch/v1alpha1/stages', {
    apiVersion: 'simulate.orch/v1alpha1',
    kind: 'Stage',
    metadata: {name: 'missing-images'},
    spec: {images: missingImages, behaviour: {'image-error': 'not found'}},
  });
  if (made.status !== 201) throw new Error(made.body.toString());
  return server.kubeconfig;
}
