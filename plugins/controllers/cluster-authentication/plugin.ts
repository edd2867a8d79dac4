import {readFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import {
  controller,
  every,
  ifFound,
  inject,
  isOvertaken,
  Tokens,
  type ApiObject,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
  type ServerEndpoint,
} from '../../../sdk/index.js';
import {done, Reconciler, type WorkResult} from '../../../sdk/controllers/index.js';
import type {ConfigMap} from '../../../sdk/types/unchecked/core/v1.js';
import {mergeBundles} from '../../families/certificate-bundles/merge-bundles.js';

interface Settings {
  readonly usernameHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeadersPrefix: readonly string[];
  readonly clientCaFile?: string;
  readonly allowedNames: readonly string[];
}

const configMaps: ResourceRef = {group: '', version: 'v1', resource: 'configmaps'};
const name = 'extension-apiserver-authentication';
/** How often it is looked at whether files with CAs have changed. */
const lookMillis = 5000;
const againMillis = 50;

/**
 * Keeps the ConfigMap `extension-apiserver-authentication` of the system namespace, from which servers that extend this one learn whose client
 * certificates to trust, and which proxy speaks for users (keys as in Kubernetes).
 *
 * All servers of a store write it: each adds what it trusts to what is there. Certificates go when they expire. To take anything else out, delete
 * the ConfigMap; the servers make it anew.
 */
@controller()
export class ClusterAuthentication extends Reconciler {
  readonly #namespace: string;
  #stopLooking: () => void = () => undefined;
  #authorities = '';
  readonly #settings: Settings;
  readonly #resources: ResourceClient;
  readonly #endpoint: ServerEndpoint;

  constructor(
    @inject(Tokens.Config) settings: Settings,
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Endpoint) endpoint: ServerEndpoint,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
  ) {
    super({
      resources,
      naming,
      logger,
      concurrency: 1,
      figures: {metrics, name: 'cluster-authentication'},
      types: [{ref: configMaps, startFromCache: true, fieldSelector: `metadata.name=${name}`, changed: () => [name], listed: () => [name]}],
      reconcile: () => this.#sync(),
    });
    this.#settings = settings;
    this.#resources = resources;
    this.#endpoint = endpoint;
    this.#namespace = naming.systemNamespace;
  }

  override start(signal: AbortSignal): Promise<void> {
    this.#authorities = this.#endpoint.clientAuthorities;
    this.#stopLooking = every(lookMillis, () => {
      const {clientAuthorities} = this.#endpoint;
      if (clientAuthorities === this.#authorities) return;
      this.#authorities = clientAuthorities;
      this.add(name);
    });
    return super.start(signal);
  }

  override stop(): Promise<void> {
    this.#stopLooking();
    return super.stop();
  }

  async #sync(): Promise<WorkResult> {
    const found = (await ifFound(this.#resources.get(configMaps, this.#namespace, name))) as ConfigMap | undefined;
    const data = await this.#wanted(found?.data ?? {});
    if (found && Object.entries(data).every(([key, value]) => found.data?.[key] === value)) return done;
    try {
      if (found) await this.#resources.update(configMaps, this.#namespace, {...found, data: {...found.data, ...data}} as ApiObject);
      else {
        const metadata = {name, namespace: this.#namespace};
        await this.#resources.create(configMaps, this.#namespace, {apiVersion: 'v1', kind: 'ConfigMap', metadata, data} as ApiObject);
      }
    } catch (error) {
      // Another server was faster.
      if (!isOvertaken(error)) throw error;
      return {again: againMillis};
    }
    return done;
  }

  /** What this server trusts, together with what is there. */
  async #wanted(present: Readonly<Record<string, string>>): Promise<Record<string, string>> {
    const now = Date.now();
    const bundle = (key: string, own: string) => mergeBundles([present[key] ?? '', own], now);
    const list = (key: string, own: readonly string[]) => JSON.stringify([...new Set([...listOf(present[key]), ...own])]);
    const {clientCaFile, allowedNames, extraHeadersPrefix, groupHeaders, usernameHeaders} = this.#settings;
    const clients = {'client-ca-file': bundle('client-ca-file', this.#endpoint.clientAuthorities)};
    if (clientCaFile === undefined) return clients;
    return {
      ...clients,
      'requestheader-client-ca-file': bundle('requestheader-client-ca-file', await readFile(resolve(clientCaFile), 'utf8')),
      'requestheader-allowed-names': list('requestheader-allowed-names', allowedNames),
      'requestheader-extra-headers-prefix': list('requestheader-extra-headers-prefix', extraHeadersPrefix),
      'requestheader-group-headers': list('requestheader-group-headers', groupHeaders),
      'requestheader-username-headers': list('requestheader-username-headers', usernameHeaders),
    };
  }
}

/** A list as it is stored; nothing of what is none. */
function listOf(text: string | undefined): string[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];
  } catch {
    return [];
  }
}
