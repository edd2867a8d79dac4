import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {get as getHttp} from 'node:http';
import {get as getHttps} from 'node:https';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {freePort} from './free-port.js';
import {makeAuthority, makeLeaf, type KeyedCertificate} from './test-certificates.js';

/** One of the programs that a suite starts. */
export interface Program {
  readonly child: ChildProcess;
  readonly url: string;
  readonly readyMillis: number;
  logs(): string;
  /** SIGTERM; answers milliseconds and exit code. */
  stop(): Promise<{millis: number; code: number | null}>;
}

const startMillis = 20_000;

/**
 * Starts a program of the assets and asks, every 100 ms if nothing else is said, without credentials, until it answers 200.
 *
 * @param patienceMillis how long it may take until then
 */
export async function startProgram(
  path: string,
  args: readonly string[],
  url: string,
  health: string,
  env: Readonly<Record<string, string>> = {},
  everyMillis = 100,
  patienceMillis = startMillis * 3,
): Promise<Program> {
  const started = performance.now();
  const child = spawn(path, args, {stdio: ['ignore', 'pipe', 'pipe'], env: {...process.env, ...env}});
  let printed = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const ended = once(child, 'close');
  while ((await statusOf(url + health)) !== 200) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${path} ended (${child.exitCode ?? child.signalCode})\n${printed}`);
    if (performance.now() - started > patienceMillis) {
      child.kill('SIGKILL');
      throw new Error(`${path} was not ready in time\n${printed}`);
    }
    await delay(everyMillis);
  }
  const readyMillis = performance.now() - started;
  return {
    child,
    url,
    readyMillis,
    logs: () => printed,
    async stop() {
      const asked = performance.now();
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await ended;
      }
      return {millis: performance.now() - asked, code: child.exitCode};
    },
  };
}

function statusOf(url: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const answer = (response: {statusCode?: number | undefined; resume(): unknown}) => {
      response.resume();
      resolve(response.statusCode);
    };
    const request = url.startsWith('https:')
      ? getHttps(url, {rejectUnauthorized: false, agent: false}, answer)
      : getHttp(url, {agent: false}, answer);
    request.on('error', () => resolve(undefined));
  });
}

/** What envtest prepares for one control plane. */
export class EnvtestPair {
  readonly folder = mkdtempSync(join(tmpdir(), 'orch-envtest-'));
  readonly etcdData = join(this.folder, 'etcd');
  readonly certDir = join(this.folder, 'certs');
  authority!: KeyedCertificate;
  /** Signed the certificate of the API server. */
  servingAuthority!: KeyedCertificate;
  etcd!: Program;
  api!: Program;
  readonly #assets: string;
  readonly #everyMillis: number | undefined;

  /** @param everyMillis how often the programs are asked whether they are ready; as envtest does by default */
  constructor(assets: string, everyMillis?: number) {
    this.#assets = assets;
    this.#everyMillis = everyMillis;
  }

  async start(extra: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<this> {
    mkdirSync(this.etcdData);
    mkdirSync(this.certDir);
    this.authority = await makeAuthority('envtest-environment');
    this.servingAuthority = await makeAuthority('localhost');
    const serving = await makeLeaf(this.servingAuthority, 'server', 'localhost');
    const signer = await makeAuthority('sa-signer');
    const write = (name: string, text: string) => writeFileSync(join(this.certDir, name), text);
    write('apiserver.crt', serving.certificate);
    write('apiserver.key', serving.key);
    write('sa-signer.crt', signer.certificate);
    write('sa-signer.key', signer.key);
    write('client-cert-auth-ca.crt', this.authority.certificate);
    const url = `http://127.0.0.1:${await freePort()}`;
    this.etcd = await startProgram(
      join(this.#assets, 'etcd'),
      [
        `--listen-peer-urls=http://127.0.0.1:${await freePort()}`,
        `--data-dir=${this.etcdData}`,
        `--listen-client-urls=${url}`,
        `--advertise-client-urls=${url}`,
        '--unsafe-no-fsync=true',
      ],
      url,
      '/health',
      {},
      this.#everyMillis,
    );
    await this.startApi(extra, env);
    return this;
  }

  async startApi(extra: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<void> {
    const port = await freePort();
    const url = `https://127.0.0.1:${port}`;
    this.api = await startProgram(
      join(this.#assets, 'kube-apiserver'),
      [
        '--service-cluster-ip-range=10.0.0.0/24',
        '--allow-privileged=true',
        '--disable-admission-plugins=ServiceAccount',
        `--cert-dir=${this.certDir}`,
        '--authorization-mode=RBAC',
        `--secure-port=${port}`,
        '--bind-address=127.0.0.1',
        `--service-account-issuer=${url}/`,
        `--service-account-key-file=${join(this.certDir, 'sa-signer.crt')}`,
        `--service-account-signing-key-file=${join(this.certDir, 'sa-signer.key')}`,
        `--etcd-servers=${this.etcd.url}`,
        `--client-ca-file=${join(this.certDir, 'client-cert-auth-ca.crt')}`,
        ...extra,
      ],
      url,
      '/healthz',
      env,
      this.#everyMillis,
    );
  }

  /** A user's certificate: CN = user, O = groups. */
  user(name: string, groups: readonly string[]): Promise<KeyedCertificate> {
    return makeLeaf(this.authority, 'client', name, groups);
  }

  async stop(): Promise<void> {
    await this.api?.stop();
    await this.etcd?.stop();
    rmSync(this.folder, {recursive: true, force: true});
  }
}
