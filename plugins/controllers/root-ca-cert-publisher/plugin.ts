import {readFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import {
  componentPrefix,
  controller,
  ifFound,
  inject,
  isOvertaken,
  StatusError,
  Tokens,
  type ApiObject,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
  type ServerPaths,
} from '../../../sdk/index.js';
import {done, Reconciler, type WorkResult} from '../../../sdk/controllers/index.js';
import type {ConfigMap} from '../../../sdk/types/unchecked/core/v1.js';
import {mergeBundles} from '../../families/certificate-bundles/merge-bundles.js';

const configMaps: ResourceRef = {group: '', version: 'v1', resource: 'configmaps'};
const namespaces: ResourceRef = {group: '', version: 'v1', resource: 'namespaces'};
const key = 'ca.crt';
const description = 'The CA that the certificate of the API server is verified with.';
/** Until a namespace is looked at again that did not take the ConfigMap, because of a quota for one. */
const refusedMillis = 60_000;
/** Until a namespace is looked at again when it is not known yet what to publish. */
const unknownMillis = 50;

/**
 * Keeps a ConfigMap with the server's CA in every namespace (`orch-root-ca.crt`), which pods mount together with their token.
 *
 * Servers of one store may have CAs of their own, and a pod may reach any of them. So the ConfigMap of the system namespace gathers the CAs of
 * all servers, each of which adds its own, and those of the other namespaces are copies of it. Several servers may do this at the same time.
 */
@controller()
export class RootCaPublisher extends Reconciler {
  readonly #name: string;
  readonly #system: string;
  readonly #descriptionKey: string;
  readonly #caFile: string;
  readonly #resources: ResourceClient;
  readonly #logger: Logger;
  #own = '';
  /** What the system namespace was last seen to publish. */
  #published: string | undefined;

  constructor(
    @inject(Tokens.Config) {rootCaFile}: {readonly rootCaFile?: string},
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Paths) paths: ServerPaths,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
  ) {
    const name = `${componentPrefix(naming)}-root-ca.crt`;
    super({
      resources,
      naming,
      logger,
      concurrency: 4,
      figures: {metrics, name: 'root-ca-cert-publisher'},
      types: [
        {ref: namespaces, startFromCache: true, changed: ({metadata}) => [metadata.name!], deleted: () => []},
        {
          ref: configMaps,
          startFromCache: true,
          fieldSelector: `metadata.name=${name}`,
          changed: ({metadata}) => [metadata.namespace!],
        },
      ],
      reconcile: (namespace) => this.#sync(namespace),
    });
    this.#resources = resources;
    this.#logger = logger;
    this.#name = name;
    this.#system = naming.systemNamespace;
    this.#descriptionKey = naming.key('orch/description');
    this.#caFile = rootCaFile === undefined ? paths.clientCaFile : resolve(rootCaFile);
  }

  /** @throws Error in one sentence if the CA cannot be read */
  async check(): Promise<void> {
    await this.#readOwn();
  }

  override async start(signal: AbortSignal): Promise<void> {
    this.#own = await this.#readOwn();
    await super.start(signal);
  }

  async #readOwn(): Promise<string> {
    const text = await readFile(this.#caFile, 'utf8').catch((error: Error) => {
      throw new Error(`--root-ca-file: ${error.message}`, {cause: error});
    });
    const own = mergeBundles([text], Date.now());
    if (own === '') throw new Error(`--root-ca-file: ${this.#caFile} contains no PEM certificate that is still valid`);
    return own;
  }

  async #sync(namespace: string): Promise<WorkResult> {
    const found = await this.#find(namespace);
    const wanted = namespace === this.#system ? mergeBundles([found?.data?.[key] ?? '', this.#own], Date.now()) : this.#published;
    if (wanted === undefined) return {again: unknownMillis};
    if (!isSound(found, wanted)) {
      const answer = await this.#write(namespace, found, wanted);
      if (answer) return answer;
    }
    if (namespace === this.#system && wanted !== this.#published) {
      this.#published = wanted;
      for (const {metadata} of (await this.#resources.list(namespaces, '', {resourceVersion: '0'})).items) this.add(metadata.name!);
    }
    return done;
  }

  /** Answers when to look again; undefined when it is written. */
  async #write(namespace: string, found: ConfigMap | undefined, ca: string): Promise<WorkResult | undefined> {
    try {
      if (found) await this.#resources.update(configMaps, namespace, {...found, data: {[key]: ca}, binaryData: {}} as ApiObject);
      else {
        await this.#resources.create(configMaps, namespace, {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: {name: this.#name, namespace, annotations: {[this.#descriptionKey]: description}},
          data: {[key]: ca},
        } as ApiObject);
      }
      return undefined;
    } catch (error) {
      // Somebody else was faster, and the event of it comes; or the namespace is gone.
      if (isOvertaken(error)) return {again: unknownMillis};
      if (!StatusError.is(error) || error.code !== 403) throw error;
      if (await this.#isTerminating(namespace)) return done;
      this.#logger.warn({namespace, configMap: this.#name, err: error}, 'the CA cannot be published; retrying');
      return {again: refusedMillis};
    }
  }

  async #find(namespace: string): Promise<ConfigMap | undefined> {
    return (await this.#get(configMaps, namespace, this.#name)) as ConfigMap | undefined;
  }

  async #isTerminating(namespace: string): Promise<boolean> {
    const found = await this.#get(namespaces, '', namespace);
    return !found || found.metadata.deletionTimestamp !== undefined;
  }

  #get(ref: ResourceRef, namespace: string, name: string): Promise<ApiObject | undefined> {
    return ifFound(this.#resources.get(ref, namespace, name, {resourceVersion: '0'}));
  }
}

function isSound(found: ConfigMap | undefined, ca: string): boolean {
  return found?.data?.[key] === ca && Object.keys(found.data).length === 1 && Object.keys(found.binaryData ?? {}).length === 0;
}
