import {spawn, type ChildProcess} from 'node:child_process';
import {generateKeyPairSync} from 'node:crypto';
import {once} from 'node:events';
import {createWriteStream, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {freePort} from '../../test/helpers/free-port.js';
import {httpsClient, type HttpsClient} from '../../test/helpers/https-client.js';
import {tempFolder, type Teardown} from '../../test/helpers/temp-folder.js';

export interface Binaries {
  readonly kubeApiserver: string;
  readonly etcd: string;
}

/** How long a server may take until it is ready, in milliseconds. */
const startMillis = 300_000;
const token = 'compare';
/** Headers that make a request the administrator's. */
export const asAdministrator = {authorization: `Bearer ${token}`};

/** What a server that is compared is told, in the words of kube-apiserver: nobody but the server itself acts on objects. The addresses of services are those of our default. */
export const commonFlags = {
  'authorization-mode': 'AlwaysAllow',
  'disable-admission-plugins': 'ServiceAccount',
  'runtime-config': 'api/all=true',
  'service-cluster-ip-range': '10.96.0.0/12',
} as const;

/**
 * Starts etcd and kube-apiserver on free ports of 127.0.0.1, in a folder that is removed at the end. Resolves when the server is ready.
 *
 * @param flags of kube-apiserver, in place of the common ones or beside them
 * @throws Error with the end of its log when it is not ready in time
 */
export async function startRealServer(
  t: Teardown,
  {kubeApiserver, etcd}: Binaries,
  flags: Readonly<Record<string, string>> = {},
): Promise<HttpsClient> {
  const folder = tempFolder(t);
  const [clients, peers, port] = await Promise.all([freePort(), freePort(), freePort()]);
  const local = (of: number) => `http://127.0.0.1:${of}`;
  start(t, etcd, join(folder, 'etcd.log'), {
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': local(clients),
    'advertise-client-urls': local(clients),
    'listen-peer-urls': local(peers),
    'initial-advertise-peer-urls': local(peers),
    'initial-cluster': `default=${local(peers)}`,
    'unsafe-no-fsync': 'true',
  });
  const {publicKey, privateKey} = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: {type: 'spki', format: 'pem'},
    privateKeyEncoding: {type: 'pkcs8', format: 'pem'},
  });
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const log = join(folder, 'kube-apiserver.log');
  const server = start(t, kubeApiserver, log, {
    ...commonFlags,
    ...flags,
    'etcd-servers': local(clients),
    'bind-address': '127.0.0.1',
    'secure-port': String(port),
    'cert-dir': join(folder, 'certificates'),
    'token-auth-file': file('tokens.csv', `${token},administrator,administrator,system:masters\n`),
    'service-account-issuer': 'https://127.0.0.1',
    'service-account-key-file': file('accounts.pub', publicKey),
    'service-account-signing-key-file': file('accounts.key', privateKey),
  });
  const url = `https://127.0.0.1:${port}`;
  for (const deadline = Date.now() + startMillis; Date.now() < deadline && server.exitCode === null; await sleep(200)) {
    try {
      const client = httpsClient(t, {url, ca: readFileSync(join(folder, 'certificates/apiserver.crt'), 'utf8')});
      if ((await client.get('/readyz', asAdministrator)).status === 200) return client;
    } catch {
      // It does not listen yet.
    }
  }
  throw new Error(`${kubeApiserver} did not become ready:\n${readFileSync(log, 'utf8').slice(-4000)}`);
}

function start(t: Teardown, program: string, log: string, flags: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(
    program,
    Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    {stdio: ['ignore', 'pipe', 'pipe']},
  );
  const file = createWriteStream(log);
  child.stdout.pipe(file, {end: false});
  child.stderr.pipe(file, {end: false});
  t.teardown(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
    file.end();
  });
  return child;
}
