import {httpsClient} from '../../test/helpers/https-client.js';
import {spawnOrch} from '../../test/helpers/orch-process.js';
import type {Teardown} from '../../test/helpers/temp-folder.js';

/** Both families, as specs about them want. */
const ranges = '10.96.0.0/16,fd00:10:96::/112';

/** What the suite expects of containers: there are images that no registry has, and probes begin late that are said to. */
const stages = {
  'missing-images': {images: ['webserver:404', 'foo:non-existent'], behaviour: {'image-error': 'not found'}},
  'late-probes': {behaviour: {startup: 'probe', ready: 'probe'}},
};

/** Specs about claims skip themselves without one. */
const defaultClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: {name: 'simulated', annotations: {'storageclass.kubernetes.io/is-default-class': 'true'}},
  provisioner: 'simulate.orch/disk',
};

/** A cluster of this project alone: its server, its controllers, its scheduler, and nodes that are simulated. Resolves with the path of the administrator's client configuration. */
export async function startOwnCluster(t: Teardown, release: string, nodes: number): Promise<string> {
  const server = await spawnOrch({
    platform: 'kubernetes',
    extra: [
      ...['--release', release, '--cluster', '--nodes', `${nodes}:zones=a+b+c`, '--controllers=*'],
      ...['--service-cluster-ip-range', ranges, '--authorization-mode', 'Node,RBAC', '--enable-admission-plugins', 'NodeRestriction'],
    ],
  });
  t.teardown(async () => void (await server.stop()));
  const client = httpsClient(t, server);
  const make = async (path: string, object: object) => {
    const made = await client.post(path, object);
    if (made.status !== 201) throw new Error(made.body.toString());
  };
  for (const [name, spec] of Object.entries(stages)) {
    const kind = {apiVersion: 'simulate.orch/v1alpha1', kind: 'Stage'};
    await make('/apis/simulate.orch/v1alpha1/stages', {...kind, metadata: {name}, spec});
  }
  await make('/apis/storage.k8s.io/v1/storageclasses', defaultClass);
  return server.kubeconfig;
}
