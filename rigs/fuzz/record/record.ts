// Records the corpus: npm run fuzz -- --record. What clients send to a server goes through a proxy that writes it down.
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {kubernetes} from '../../../core/api/naming/kubernetes.js';
import {newestRelease} from '../../../core/api/lifetimes/releases.js';
import {startTestServer, TestClient, type TestServer} from '@orch-api/orch/testing';
import {catalogueTypes} from '../../../test/catalogue/catalogue-types.js';
import {liveThrough} from '../../../test/catalogue/object-life.js';
import {projectRoot} from '../../../test/helpers/project-root.js';
import {tempFolder, type Teardown} from '../../../test/helpers/temp-folder.js';
import {newestKinds, readCorpus, releaseOf, toLine, type Recorded} from '../corpus-entry.js';
import {everythingOf} from '../everything-of.js';
import {clientSession} from './client-session.js';
import {kubectlSession} from './kubectl-session.js';
import {surroundingsOf} from '../run/surroundings.js';
import {manifestSession} from './manifest-session.js';
import {plainSession} from './plain-session.js';
import {platformSession} from './platform-session.js';
import {startRecordingProxy} from './recording-proxy.js';

/** Larger bodies are left out: what is in them is in smaller ones too. */
const maximumBody = 32 * 1024;

/** What is another at each recording. */
const volatile =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z|"resourceVersion": ?"\d+"|resourceVersion=\d+|127\.0\.0\.1:\d+/g;

/** The requests without those that are there already but for what is another each time. */
function distinct(requests: readonly Recorded[], seen: Set<string>): Recorded[] {
  return requests.filter(({method, path, headers, body}) => {
    if (body && body.length > maximumBody) return false;
    const key = JSON.stringify([method, path, headers['accept'], headers['content-type'], body?.toString('latin1')]).replaceAll(
      volatile,
      '',
    );
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

interface Session {
  readonly name: string;
  run(clients: Clients): Promise<unknown>;
}

/** What sends requests through the proxy, and the server behind it. */
interface Clients {
  readonly t: Teardown;
  readonly client: TestClient;
  readonly kubeconfig: string;
  readonly server: TestServer;
  readonly release: string;
}

const sessions: readonly Session[] = [
  {name: '1-kubectl', run: ({t, kubeconfig}) => kubectlSession(t, kubeconfig)},
  {name: '2-client', run: ({kubeconfig}) => clientSession(kubeconfig)},
  {name: '3-plain', run: ({client, server}) => plainSession(client, server)},
  {name: '4-kinds', run: everyKind},
  {name: '5-platform', run: ({client, server}) => platformSession(client, server)},
  {
    name: newestKinds,
    run: async (clients) => {
      await everyKind(clients);
      await manifestSession(clients.client, join(projectRoot(), 'test/fixtures/manifests/today'));
    },
  },
];

async function everyKind({client, release}: Clients): Promise<void> {
  await client.post('/api/v1/namespaces', {metadata: {name: 'kinds'}});
  for (const type of await catalogueTypes(client)) await liveThrough(type, {client, naming: kubernetes, namespace: 'kinds', release});
}

/** Records all sessions, or one of them. Answers the number of requests in each file. */
export async function record(only?: string): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  const seen = new Set<string>();
  if (only !== undefined) distinct(readCorpus(newestRelease, only), seen);
  const wanted = sessions.filter(({name}) => only === undefined || only === name);
  for (const release of new Set(wanted.map(({name}) => releaseOf(name))))
    Object.assign(
      counts,
      await recordAt(
        release,
        wanted.filter(({name}) => releaseOf(name) === release),
        seen,
      ),
    );
  return counts;
}

async function recordAt(release: string, wanted: readonly Session[], seen: Set<string>): Promise<Readonly<Record<string, number>>> {
  const cleanups: (() => void | Promise<void>)[] = [];
  const t: Teardown = {teardown: (cleanup) => void cleanups.unshift(cleanup)};
  const folder = join(projectRoot(), 'rigs/fuzz/corpus');
  mkdirSync(folder, {recursive: true});
  try {
    const {options, furnish} = await surroundingsOf(t, tempFolder(t));
    const server = await startTestServer({
      ...options,
      platform: 'kubernetes',
      ...everythingOf(release),
      // All of them: their objects are in traffic too.
      controllers: ['*', 'apiservice-registration', 'cluster-authentication', 'root-ca-cert-publisher', 'server-endpoints'],
    });
    t.teardown(() => server.stop());
    await furnish(server.client);
    const proxy = await startRecordingProxy(server);
    t.teardown(() => proxy.close());
    const client = await TestClient.open(proxy.url, join(server.dataDir, 'pki'));
    t.teardown(() => client.close());
    const kubeconfig = join(tempFolder(t), 'kubeconfig');
    writeFileSync(kubeconfig, readFileSync(server.kubeconfig, 'utf8').replace(server.url, proxy.url));
    const counts: Record<string, number> = {};
    for (const {name, run} of wanted) {
      const from = proxy.recorded.length;
      await run({t, client, kubeconfig, server, release});
      const requests = distinct(proxy.recorded.slice(from), seen);
      writeFileSync(join(folder, `${name}.jsonl`), requests.map((request) => `${toLine(request)}\n`).join(''));
      counts[name] = requests.length;
    }
    return counts;
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}
