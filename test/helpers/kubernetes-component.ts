import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {generateKey, issueCertificate} from '../../core/pki/issue-certificate.js';
import {writeAdminKubeconfig} from '../../core/pki/kubeconfig.js';
import {freePort} from './free-port.js';
import {tempFolder, type Teardown} from './temp-folder.js';

/** A server as a program of the control plane needs to know it. */
export interface ComponentServer {
  readonly url: string;
  /** Certificate of the authority that has signed that of the server and those of clients, and its key; PEM. */
  readonly ca: string;
  readonly caKey: string;
}

/**
 * Runs a program of Kubernetes' control plane (kube-controller-manager, kube-scheduler) against a server, as the user that its RBAC roles are for, until the
 * end of the test.
 *
 * @param program its path; its name is that of its user behind `system:`
 * @returns what it has logged up to now
 */
export async function startKubernetesComponent(
  t: Teardown,
  program: string,
  server: ComponentServer,
  flags: readonly string[] = [],
): Promise<() => string> {
  const name = program.replace(/^.*\//, '');
  const folder = join(tempFolder(t), name);
  mkdirSync(folder);
  const kubeconfig = join(folder, 'kubeconfig');
  const key = await generateKey();
  const certificate = await issueCertificate({
    subject: {commonName: `system:${name}`, organizations: []},
    key,
    notAfter: Date.now() + 3_600_000,
    usage: 'client',
    issuer: {certificate: server.ca, key: server.caKey},
  });
  const names = {clusterName: 'test', userName: name};
  await writeAdminKubeconfig(kubeconfig, {url: server.url, ca: server.ca, certificate, key, ...names});
  const ca = join(folder, 'ca.crt');
  writeFileSync(ca, server.ca);
  const same = ['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'].map((flag) => `--${flag}=${kubeconfig}`);
  const port = `--secure-port=${await freePort()}`;
  const child = spawn(program, [...same, '--bind-address=127.0.0.1', port, `--cert-dir=${folder}`, '--v=2', ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let logged = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (logged += text));
  const ended = once(child, 'close');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return () => logged;
}
