import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {generateKey, issueCertificate} from '../../core/pki/issue-certificate.js';
import {startProgram} from '../../test/helpers/envtest-pair.js';
import {freePort} from '../../test/helpers/free-port.js';
import {tempFolder, type Teardown} from '../../test/helpers/temp-folder.js';
import {makeAuthority, makeLeaf, type KeyedCertificate} from '../../test/helpers/test-certificates.js';

/** A kube-apiserver with what it stores in. */
export interface ServerPrograms {
  readonly kubeApiserver: string;
  readonly etcd: string;
}

/** A running kube-apiserver. */
export interface KubernetesServer {
  readonly url: string;
  readonly ca: KeyedCertificate;
  /** The administrator's. */
  readonly admin: KeyedCertificate;
  /** Of the server and of its etcd. */
  readonly pids: readonly number[];
  /** From the start of the server, with etcd running, until it was ready. */
  readonly readyMillis: number;
  /** Path of a file with a certificate (`ca.crt`, `accounts.crt`, …) or key of the server. */
  file(name: string): string;
}

/** How long a kube-apiserver may take until it is ready, in milliseconds. */
const startMillis = 300_000;
/** How long certificates are valid: longer than any run. */
const validMillis = 7 * 24 * 3_600_000;

/**
 * Starts etcd and a kube-apiserver with certificates on free ports of 127.0.0.1, in a folder that is removed at the end. Resolves when the server is ready.
 *
 * @param durable whether what is answered is on disk
 * @param flags further ones of kube-apiserver
 */
export async function startKubernetesServer(
  t: Teardown,
  programs: ServerPrograms,
  {durable = false, flags = []}: {readonly durable?: boolean; readonly flags?: readonly string[]} = {},
): Promise<KubernetesServer> {
  const folder = tempFolder(t);
  const {ca, admin, file} = await writePki(folder);
  const etcdUrl = `http://127.0.0.1:${await freePort()}`;
  const etcd = await startProgram(
    programs.etcd,
    [
      `--data-dir=${join(folder, 'etcd')}`,
      `--listen-client-urls=${etcdUrl}`,
      `--advertise-client-urls=${etcdUrl}`,
      `--listen-peer-urls=http://127.0.0.1:${await freePort()}`,
      ...(durable ? [] : ['--unsafe-no-fsync=true']),
    ],
    etcdUrl,
    '/health',
  );
  t.teardown(async () => void (await etcd.stop()));
  const port = await freePort();
  const url = `https://127.0.0.1:${port}`;
  const api = await startProgram(
    programs.kubeApiserver,
    [
      `--etcd-servers=${etcdUrl}`,
      '--bind-address=127.0.0.1',
      '--advertise-address=127.0.0.1',
      `--secure-port=${port}`,
      `--cert-dir=${folder}`,
      `--tls-cert-file=${file('server.crt')}`,
      `--tls-private-key-file=${file('server.key')}`,
      `--client-ca-file=${file('ca.crt')}`,
      '--authorization-mode=Node,RBAC',
      '--enable-admission-plugins=NodeRestriction',
      '--allow-privileged=true',
      '--service-cluster-ip-range=10.96.0.0/16',
      `--service-account-issuer=${url}`,
      `--service-account-key-file=${file('accounts.crt')}`,
      `--service-account-signing-key-file=${file('accounts.key')}`,
      `--requestheader-client-ca-file=${file('ca.crt')}`,
      '--requestheader-allowed-names=front-proxy-client',
      '--requestheader-username-headers=X-Remote-User',
      '--requestheader-group-headers=X-Remote-Group',
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
      ...flags,
    ],
    url,
    '/readyz',
    {},
    200,
    startMillis,
  );
  t.teardown(async () => void (await api.stop()));
  return {url, ca, admin, file, pids: [api.child.pid!, etcd.child.pid!], readyMillis: api.readyMillis};
}

async function writePki(folder: string): Promise<Pick<KubernetesServer, 'ca' | 'admin' | 'file'>> {
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
