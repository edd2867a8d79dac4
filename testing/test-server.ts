import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createServer, type ConflictOptions, type Fault, type Server, type ServerOptions} from '../core/server/index.js';
import type {ApiObject} from '../sdk/objects/api-object.js';
import type {Client} from '../sdk/client/client.js';
import {applyManifests} from './apply-manifests.js';
import {clusterFaults, type ClusterFaults} from './cluster-faults.js';
import {LeftBehind} from './left-behind.js';
import {controllersOf} from './quiet-controllers.js';
import {TestClient} from './test-client.js';

/** Faults that happen when a test wants them. Each lasts until it is ended: `using away = server.faults.storeAway()`, or `away.end()`. */
export interface TestFaults extends ClusterFaults {
  /** The store cannot be reached: requests get 503, and controllers try again. */
  storeAway(): Fault;
  /** Each call of the store takes at least so long. */
  storeSlow(milliseconds: number): Fault;
  /**
   * Somebody else writes objects just before they are changed or deleted. Who names a `resourceVersion` gets 409; the server repeats other changes itself.
   *
   * @example server.faults.conflict({resource: 'configmaps', nth: 2})
   */
  conflict(options: ConflictOptions): Fault;
  /** Cuts the connections of all watches at once, without a word to their clients. */
  cutWatches(): void;
  /** The history of the store is lost at once: watches end with 410, and clients list again. */
  loseHistory(): void;
}

/** A real API server in the process of the test: TLS on a free port of 127.0.0.1, in memory unless the options say otherwise. */
export interface TestServer extends AsyncDisposable {
  /** `https://127.0.0.1:PORT`. */
  readonly url: string;
  /** Path of a client configuration file with full permissions, for clients in any language. */
  readonly kubeconfig: string;
  readonly dataDir: string;
  /** Makes HTTP requests with full permissions. */
  readonly client: TestClient;
  /** The typed client with full permissions. */
  readonly api: Client;
  /** Takes a snapshot of all objects. Answers its name. */
  snapshot(): Promise<string>;
  /**
   * Writes and deletes what has changed since a snapshot. Watchers see ordinary events, and resource versions go on growing. Nobody else may write meanwhile.
   *
   * @throws StatusError 404 for a snapshot that is not there, 400 when others go on writing
   */
  restore(snapshot: string): Promise<void>;
  /** Puts the server's clock forward: tokens, TTLs and whatever else is due by then expire now. Timers of single requests go on as they are. */
  advance(milliseconds: number): Promise<void>;
  /**
   * Resolves when no controller has work left, so that what follows from the writes so far is there. What waits for a time is not waited for: `advance` brings it on.
   *
   * @throws StatusError 503 if controllers go on writing
   */
  settled(): Promise<void>;
  /** Faults on demand. */
  readonly faults: TestFaults;
  /**
   * Applies all objects of a file, or of the YAML and JSON files below a folder: definitions and namespaces first, then file by file in the order of their
   * names. Objects without a namespace go to `default`. Resolves when all are there, and the types of definitions are served.
   *
   * @returns the objects as the server has them
   * @throws Error that names the file and the object and says what is wrong
   */
  applyManifests(path: string): Promise<ApiObject[]>;
  /**
   * Ends the server and removes its files. What its plugins leave behind and what keeps the process from ending (a timer, a socket) is told as a warning of the
   * process (`ORCH_LEFT_BEHIND`), timers with the place that made them.
   */
  stop(): Promise<void>;
}

/**
 * Starts a server for a test. Defaults: store `memory`, a free port, a temporary data folder that is removed at the end, and plugins
 * fail that return what their contract does not know or change what they may only read (`strictPlugins`). Controllers that create the platform's own objects for clients inside a cluster
 * (`apiservice-registration`, `cluster-authentication`, `root-ca-cert-publisher`, `server-endpoints`) are not part of `*`, so that a test finds only its own objects:
 * a test that needs one names it, as in `['*', 'root-ca-cert-publisher']`. One with a `cluster` has its nodes when it resolves.
 *
 * The environment variable `ORCH_TEST_RELEASE` gives servers that name no release theirs: a suite runs against several releases without a change.
 *
 * @throws the errors of starting a server
 */
export async function startTestServer(options: ServerOptions = {}): Promise<TestServer> {
  const release = options.release ?? options.configuration?.release ?? process.env['ORCH_TEST_RELEASE'];
  const own = options.dataDir === undefined ? await mkdtemp(join(tmpdir(), 'orch-test-')) : undefined;
  const dataDir = options.dataDir ?? own!;
  const removeOwn = async () => {
    if (own) await rm(own, {recursive: true, force: true});
  };
  const {plugins = []} = options;
  const left = new LeftBehind(plugins);
  try {
    const server = await createServer({
      store: 'memory',
      securePort: 0,
      strictPlugins: true,
      enableTestingApi: true,
      ...options,
      release,
      ...controllersOf(options),
      dataDir,
    });
    await server.start();
    const client = await TestClient.open(server.url, join(server.paths.dataDir, 'pki'));
    // A pod that comes before the nodes pauses for a second, which `settled` does not wait for. Where controllers go on writing, it is not waited for: the test sees them at work.
    if (options.cluster ?? options.configuration?.cluster) await server.testing?.settled().catch(() => undefined);
    const stop = async () => {
      client.close();
      await server.stop();
      await removeOwn();
      const found = left.find();
      if (found.length > 0)
        process.emitWarning(`after the server has stopped, this keeps the process from ending: ${found.join('; ')}`, {
          code: 'ORCH_LEFT_BEHIND',
        });
    };
    return {
      url: server.url,
      kubeconfig: server.kubeconfig,
      dataDir,
      client,
      get api() {
        return server.client;
      },
      snapshot: async () => (await server.testing!.snapshots.take()).id,
      restore: async (snapshot) => void (await server.testing!.snapshots.restore(snapshot)),
      advance: async (milliseconds) => void (await server.testing!.advance(milliseconds)),
      settled: async () => server.testing!.settled(),
      get faults() {
        return faultsOf(server, client);
      },
      applyManifests: (path) => applyManifests(client, path),
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    left.find();
    await removeOwn();
    throw error;
  }
}

function faultsOf({testing}: Server, client: TestClient): TestFaults {
  const {faults, cutWatches} = testing!;
  return {
    storeAway: () => faults.away(),
    storeSlow: (milliseconds) => faults.slow(milliseconds),
    conflict: (options) => faults.conflict(options),
    cutWatches,
    loseHistory: () => faults.loseHistory(),
    ...clusterFaults(client),
  };
}

/** Reads one of the server's files, for tests that configure their own client. */
export function readServerFile(server: TestServer, ...path: string[]): Promise<string> {
  return readFile(join(server.dataDir, ...path), 'utf8');
}
