import {readFile} from 'node:fs/promises';
import {
  controller,
  ifFound,
  inject,
  isAlreadyExists,
  isConflict,
  isNotFound,
  pemBlocks,
  StatusError,
  Tokens,
  type Clock,
  type Controller,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
  type ServerPaths,
} from '../../../sdk/index.js';
import {done, DueTimes, followObjects, WorkQueue, type WorkResult} from '../../../sdk/controllers/index.js';
import type {ConfigMap, Secret} from '../../../sdk/types/unchecked/core/v1.js';
import {clusterConfiguration, clusterInfoName, configMaps, kubeconfigKey, signedData} from './cluster-info.js';
import {tokenSecrets, tokenSecretSelector} from '../../families/bootstrap-tokens/token-secret.js';
import {SigningTokens} from './signing-tokens.js';

/** Minimum time between writes: servers with different clocks briefly disagree about a token. */
const restMillis = 1000;

/**
 * `bootstrapsigner`: keeps a signature for each token with `usage-bootstrap-signing` in the ConfigMap `cluster-info` of the public
 * namespace (docs/semantics/access.md#bootstrap-tokens). Creates the ConfigMap if it is missing and the settings define its content;
 * existing content is never changed.
 */
@controller()
export class BootstrapSigner implements Controller {
  readonly #abort = new AbortController();
  readonly #tokens = new SigningTokens();
  readonly #queue: WorkQueue;
  readonly #due: DueTimes;
  /** Until all tokens are known, a valid signature could seem to have no token. */
  #knowsTokens = false;
  #restUntil = 0;
  #running: Promise<unknown> = Promise.resolve();
  readonly #server: string | undefined;
  readonly #caFile: string;
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;
  readonly #logger: Logger;
  readonly #clock: Clock;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Paths) paths: ServerPaths,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
    @inject(Tokens.Clock) clock: Clock,
  ) {
    this.#clock = clock;
    this.#resources = resources;
    this.#naming = naming;
    this.#logger = logger;
    this.#server = serverUrl(config['clusterInfoServer'] as string | undefined);
    this.#caFile = (config['clusterInfoCaFile'] as string | undefined) ?? paths.clientCaFile;
    this.#queue = new WorkQueue(() => this.#sign(), {
      clock,
      scheduler: resources.scheduler,
      concurrency: 1,
      figures: {metrics, name: 'bootstrap_signer_queue'},
      onError: (_name, error) => logger.warn({err: error}, 'cluster-info could not be signed; it is tried again'),
    });
    this.#due = new DueTimes(() => this.#sync(), clock);
  }

  /** @throws Error if the CA file contains no CA */
  async check(): Promise<void> {
    if (this.#server !== undefined) await this.#certificateAuthority();
  }

  start(_signal: AbortSignal): Promise<void> {
    this.#running = Promise.all([this.#followTokens(), this.#followClusterInfo()]);
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#running;
    this.#due.clear();
    await this.#queue.close();
  }

  #followTokens(): Promise<void> {
    return followObjects(
      this.#resources,
      tokenSecrets,
      {
        listed: () => {
          this.#knowsTokens = true;
          this.#sync();
        },
        changed: (object) => {
          const expiry = this.#tokens.observe(object as Secret);
          this.#due.set(
            object.metadata.name!,
            expiry === undefined || !(expiry > this.#clock.now()) || expiry === Infinity ? undefined : expiry,
          );
          this.#sync();
        },
        deleted: (object) => {
          this.#tokens.remove(object as Secret);
          this.#due.set(object.metadata.name!, undefined);
          this.#sync();
        },
        failed: (error) => this.#logger.warn({err: error}, 'bootstrap tokens cannot be watched; retrying'),
      },
      this.#abort.signal,
      {fieldSelector: tokenSecretSelector(this.#naming)},
    );
  }

  #followClusterInfo(): Promise<void> {
    return followObjects(
      this.#resources,
      configMaps,
      {
        changed: () => this.#sync(),
        deleted: () => this.#sync(),
        failed: (error) => this.#logger.warn({err: error}, 'cluster-info cannot be watched; retrying'),
      },
      this.#abort.signal,
      {fieldSelector: `metadata.namespace=${this.#naming.publicNamespace},metadata.name=${clusterInfoName}`},
    );
  }

  #sync(): void {
    if (this.#knowsTokens) this.#queue.add(clusterInfoName);
  }

  async #sign(): Promise<WorkResult> {
    const rest = this.#restUntil - performance.now();
    if (rest > 0) return {again: rest};
    const found = (await ifFound(this.#resources.get(configMaps, this.#naming.publicNamespace, clusterInfoName))) as ConfigMap | undefined;
    const data = await this.#completed(found);
    if (data === undefined) return done;
    const signed = signedData(data, this.#tokens.valid(this.#clock.now()));
    if (found && signed === undefined && data === found.data) return done;
    this.#restUntil = performance.now() + restMillis;
    await this.#write(found, signed ?? data);
    return done;
  }

  /** The data with a client configuration; undefined if there is none to sign. */
  async #completed(found: ConfigMap | undefined): Promise<Record<string, string> | undefined> {
    const data = (found?.data ?? {}) as Record<string, string>;
    if (data[kubeconfigKey] !== undefined) return data;
    if (this.#server === undefined) return undefined;
    return {...data, [kubeconfigKey]: clusterConfiguration(this.#server, await this.#certificateAuthority())};
  }

  async #write(found: ConfigMap | undefined, data: Record<string, string>): Promise<void> {
    const namespace = this.#naming.publicNamespace;
    try {
      if (found) await this.#resources.update(configMaps, namespace, {...found, data} as ConfigMap);
      else await this.#resources.create(configMaps, namespace, {metadata: {name: clusterInfoName}, data} as ConfigMap);
    } catch (error) {
      // Another server was faster, or it was deleted: the watch will report it.
      if (isConflict(error) || isAlreadyExists(error) || (found && isNotFound(error))) return;
      // Immutable, or too large: a retry would not help.
      if (!StatusError.is(error) || (error.code !== 422 && error.code !== 413)) throw error;
      this.#logger.warn({err: error}, 'cluster-info cannot be signed');
    }
  }

  async #certificateAuthority(): Promise<string> {
    const text = await readFile(this.#caFile, 'utf8');
    if (!pemBlocks(text).some(({type}) => type === 'CERTIFICATE'))
      throw new Error(`--cluster-info-ca-file: ${this.#caFile} contains no PEM certificate`);
    return text;
  }
}

function serverUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!URL.canParse(text) || new URL(text).protocol !== 'https:') {
    throw new Error(`--cluster-info-server: ${JSON.stringify(text)} is not an https URL, such as https://orch.example.com:6443`);
  }
  return text;
}
