import {readFile} from 'node:fs/promises';
import {serviceUnavailable, type ResourceClient, type ResourceRef} from '../../../sdk/index.js';
import type {Node} from '../../../sdk/types/unchecked/core/v1.js';
import type {Backend, BackendTls} from '../../families/proxy/backend.js';
import type {PodSettings} from './pod-settings.js';

const nodes: ResourceRef = {group: '', version: 'v1', resource: 'nodes'};
const defaultPort = 10250;

/** The kubelets of nodes: their addresses and how to connect to them. */
export class Kubelet {
  #tls: Promise<BackendTls> | undefined;
  readonly #resources: ResourceClient;
  readonly #settings: PodSettings;

  constructor(resources: ResourceClient, settings: PodSettings) {
    this.#resources = resources;
    this.#settings = settings;
  }

  /**
   * The kubelet of a node.
   *
   * @param path the kubelet's path and query
   * @throws StatusError 404 if there is no such node, 503 if it has no address
   */
  async backend(nodeName: string, path: string): Promise<Backend> {
    const node: Node = await this.#resources.get(nodes, '', nodeName);
    const addresses = node.status?.addresses ?? [];
    const preferred = this.#settings.kubeletPreferredAddressTypes.map(
      (wanted) => addresses.find(({type, address}) => type === wanted && address)?.address,
    );
    const host = preferred.find((address) => address !== undefined);
    if (host === undefined) throw serviceUnavailable(`no preferred addresses found; known addresses: ${JSON.stringify(addresses)}`);
    return {
      protocol: 'https',
      host,
      port: node.status?.daemonEndpoints?.kubeletEndpoint?.Port || defaultPort,
      path,
      tls: await this.#credentials(),
    };
  }

  /** Read on first use, and again after a failure. */
  #credentials(): Promise<BackendTls> {
    if (!this.#tls) {
      this.#tls = readCredentials(this.#settings);
      this.#tls.catch(() => (this.#tls = undefined));
    }
    return this.#tls;
  }
}

async function readCredentials(settings: PodSettings): Promise<BackendTls> {
  const files = {ca: settings.kubeletCertificateAuthority, cert: settings.kubeletClientCertificate, key: settings.kubeletClientKey};
  const given = Object.entries(files).filter(([, file]) => file !== '');
  return Object.fromEntries(await Promise.all(given.map(async ([member, file]) => [member, await readFile(file, 'utf8')] as const)));
}
