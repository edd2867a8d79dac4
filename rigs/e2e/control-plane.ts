import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {writeAssets} from '../../core/cli/envtest/assets.js';
import {writeAdminKubeconfig} from '../../core/pki/kubeconfig.js';
import {Client} from '../../sdk/client/index.js';
import {startKubernetesComponent} from '../../test/helpers/kubernetes-component.js';
import {tempFolder, type Teardown} from '../../test/helpers/temp-folder.js';
import {startKubernetesServer, type ServerPrograms} from '../kubernetes/kubernetes-server.js';

/** What works beside the server. */
export interface Components {
  readonly kubeControllerManager: string;
  readonly kubeScheduler: string;
}

export interface ControlPlane {
  /** Path of the administrator's client configuration. */
  readonly kubeconfig: string;
  /** The administrator's. */
  readonly client: Client;
}

/** This project's server in the place of kube-apiserver, and what goes for its etcd. */
export async function ownPrograms(t: Teardown, release: string): Promise<ServerPrograms> {
  const folder = tempFolder(t);
  await writeAssets(folder, release);
  return {kubeApiserver: join(folder, 'kube-apiserver'), etcd: join(folder, 'etcd')};
}

/** Starts a control plane on free ports of 127.0.0.1; whichever server it is, it gets the same flags. Resolves when the server is ready, before its controllers are. */
export async function startControlPlane(t: Teardown, server: ServerPrograms, components: Components): Promise<ControlPlane> {
  for (const file of Object.values(components)) if (!existsSync(file)) throw new Error(`there is no ${file}`);
  const {url, ca, admin, file} = await startKubernetesServer(t, server);
  const known = {url, ca: ca.certificate, caKey: ca.key};
  await startKubernetesComponent(t, components.kubeControllerManager, known, [
    '--use-service-account-credentials=true',
    `--service-account-private-key-file=${file('accounts.key')}`,
    `--root-ca-file=${file('ca.crt')}`,
    `--cluster-signing-cert-file=${file('ca.crt')}`,
    `--cluster-signing-key-file=${file('ca.key')}`,
    '--service-cluster-ip-range=10.96.0.0/16',
    '--controllers=*,bootstrapsigner,tokencleaner',
  ]);
  await startKubernetesComponent(t, components.kubeScheduler, known);
  const kubeconfig = file('admin.kubeconfig');
  const {certificate, key} = admin;
  await writeAdminKubeconfig(kubeconfig, {url, ca: ca.certificate, certificate, key, clusterName: 'e2e', userName: 'admin'});
  const client = new Client(
    {server: url, certificateAuthority: ca.certificate, credentials: {certificate, key}},
    {platform: 'kubernetes', onWarning: () => undefined},
  );
  t.teardown(() => client.close());
  return {kubeconfig, client};
}
