import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {writeAssets} from '../../core/cli/envtest/assets.js';
import {generateKey, issueCertificate} from '../../core/pki/issue-certificate.js';
import {writeAdminKubeconfig} from '../../core/pki/kubeconfig.js';
import {Client} from '../../sdk/client/index.js';
import {startProgram} from '../../test/helpers/envtest-pair.js';
import {freePort} from '../../test/helpers/free-port.js';
import {startKubernetesComponent} from '../../test/helpers/kubernetes-component.js';
import {tempFolder, type Teardown} from '../../test/helpers/temp-folder.js';
import {makeAuthority, makeLeaf, type KeyedCertificate} from '../../test/helpers/test-certificates.js';

/** A kube-apiserver with what it stores in. */
export interface ServerPrograms {
  readonly kubeApiserver: string;
  readonly etcd: string;
}

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

/** How long a kube-apiserver may take until it is ready, in milliseconds. */
const startMillis = 300_000;
/** How long certificates are valid: longer than any run. */
const validMillis = 7 * 24 * 3_600_000;

/** This project's server in the place of kube-apiserver, and what goes for its etcd. */
export async function ownPrograms(t: Teardown, release: string): Promise<ServerPrograms> {
  const folder = tempFolder(t);
  await writeAssets(folder, release);
  return {kubeApiserver: join(folder, 'kube-apiserver'), etcd: join(folder, 'etcd')};
}

/** Starts a control plane on free ports of 127.0.0.1; whichever server it is, it gets the same flags. Resolves when the server is ready, before its controllers are. */
export async function startControlPlane(t: Teardown, server: ServerPrograms, components: Components): Promise<ControlPlane> {
  for (const file of Object.values(components)) if (!existsSync(file)) throw new Error(`there is no ${file}`);
  const folder = tempFolder(t);
  const pki = await writePki(folder);
  const etcdUrl = `http://127.0.0.1:${await freePort()}`;
  const etcd = await startProgram(
    server.etcd,
    [
      `--data-dir=${join(folder, 'etcd')}`,
      `--listen-client-urls=${etcdUrl}`,
      `--advertise-client-urls=${etcdUrl}`,
      `--listen-peer-urls=http://127.0.0.1:${await freePort()}`,
      '--unsafe-no-fsync=true',
    ],
    etcdUrl,
    '/health',
  );
  t.teardown(async () => void (await etcd.stop()));
  const port = await freePort();
  const url = `https://127.0.0.1:${port}`;
  const api = await startProgram(
    server.kubeApiserver,
    [
      `--etcd-servers=${etcdUrl}`,
      '--bind-address=127.0.0.1',
      '--advertise-address=127.0.0.1',
      `--secure-port=${port}`,
      `--cert-dir=${folder}`,
      `--tls-cert-file=${pki.file('server.crt')}`,
      `--tls-private-key-file=${pki.file('server.key')}`,
      `--client-ca-file=${pki.file('ca.crt')}`,
      '--authorization-mode=Node,RBAC',
      '--enable-admission-plugins=NodeRestriction',
      '--allow-privileged=true',
      '--service-cluster-ip-range=10.96.0.0/16',
      `--service-account-issuer=${url}`,
      `--service-account-key-file=${pki.file('accounts.crt')}`,
      `--service-account-signing-key-file=${pki.file('accounts.key')}`,
      `--requestheader-client-ca-file=${pki.file('ca.crt')}`,
      '--requestheader-allowed-names=front-proxy-client',
      '--requestheader-username-headers=X-Remote-User',
      '--requestheader-group-headers=X-Remote-Group',
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    ],
    url,
    '/readyz',
    {},
    200,
    startMillis,
  );
  t.teardown(async () => void (await api.stop()));
  const known = {url, ca: pki.ca.certificate, caKey: pki.ca.key};
  await startKubernetesComponent(t, components.kubeControllerManager, known, [
    '--use-service-account-credentials=true',
    `--service-account-private-key-file=${pki.file('accounts.key')}`,
    `--root-ca-file=${pki.file('ca.crt')}`,
    `--cluster-signing-cert-file=${pki.file('ca.crt')}`,
    `--cluster-signing-key-file=${pki.file('ca.key')}`,
    '--service-cluster-ip-range=10.96.0.0/16',
    '--controllers=*,bootstrapsigner,tokencleaner',
  ]);
  await startKubernetesComponent(t, components.kubeScheduler, known);
  const kubeconfig = pki.file('admin.kubeconfig');
  const {certificate, key} = pki.admin;
  await writeAdminKubeconfig(kubeconfig, {url, ca: pki.ca.certificate, certificate, key, clusterName: 'e2e', userName: 'admin'});
  const client = new Client(
    {server: url, certificateAuthority: pki.ca.certificate, credentials: {certificate, key}},
    {platform: 'kubernetes', onWarning: () => undefined},
  );
  t.teardown(() => client.close());
  return {kubeconfig, client};
}

async function writePki(folder: string): Promise<{ca: KeyedCertificate; admin: KeyedCertificate; file: (name: string) => string}> {
  const notAfter = Date.now() + validMillis;
  const key = await generateKey();
  const ca = {key, certificate: await issueCertificate({subject: {commonName: 'e2e'}, key, notAfter, usage: 'ca'})};
  const pairs = {
    ca,
    server: await makeLeaf(ca, 'server', 'kube-apiserver', [], notAfter),
    admin: await makeLeaf(ca, 'client', 'admin', ['system:masters'], notAfter),
    accounts: await makeAuthority('accounts'),
  };
  const file = (name: string) => join(folder, 'pki', name);
  mkdirSync(file(''));
  for (const [name, pair] of Object.entries(pairs)) {
    writeFileSync(file(`${name}.crt`), pair.certificate);
    writeFileSync(file(`${name}.key`), pair.key, {mode: 0o600});
  }
  return {ca, admin: pairs.admin, file};
}
