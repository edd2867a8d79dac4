import {readFile} from 'node:fs/promises';
import {networkInterfaces} from 'node:os';
import {
  badRequest,
  isNotFound,
  serviceUnavailable,
  type NamingProfile,
  type NodeAgents,
  type ResourceClient,
  type ResourceRef,
  type ServerEndpoint,
} from '../../../sdk/index.js';
import {formatIp, isLoopback, parseIp} from '../../../sdk/net/index.js';
import type {Endpoints, Node} from '../../../sdk/types/unchecked/core/v1.js';
import type {Backend, BackendTls} from '../../families/proxy/backend.js';
import {agentOver} from '../../families/proxy/connection-agent.js';
import {resolvedProxyAddress} from '../../families/proxy/proxy-target.js';
import {ownServiceName, ownServiceNamespace} from '../../families/services/own-service.js';
import type {PodSettings} from './pod-settings.js';

const nodes: ResourceRef = {group: '', version: 'v1', resource: 'nodes'};
const endpoints: ResourceRef = {group: '', version: 'v1', resource: 'endpoints'};
const defaultPort = 10250;

/** What the addresses of kubelets are held against. */
export interface KubeletParts {
  readonly resources: ResourceClient;
  readonly naming: NamingProfile;
  readonly endpoint: ServerEndpoint;
  readonly agents: NodeAgents;
  readonly settings: PodSettings;
}

/**
 * The kubelets of nodes: their addresses and how to connect to them. A node writes its address itself, and whoever is asked there is shown this
 * server's certificate for kubelets, so it is never a server of this API, and on this machine only where that is allowed.
 */
export class Kubelet {
  #tls: Promise<BackendTls> | undefined;
  readonly #parts: KubeletParts;

  constructor(parts: KubeletParts) {
    this.#parts = parts;
  }

  /**
   * The kubelet of a node.
   *
   * @param path the kubelet's path and query
   * @throws StatusError 404 if there is no such node, 503 if it has no address or its name none, 400 for an address that is not allowed
   */
  async backend(nodeName: string, path: string): Promise<Backend> {
    const {resources, settings, agents} = this.#parts;
    const found = await resources.get(nodes, '', nodeName);
    const node: Node = found;
    const local = agents.find(found);
    if (local) return {protocol: 'http', host: nodeName, port: defaultPort, path, agent: agentOver(() => local.connect())};
    const addresses = node.status?.addresses ?? [];
    const preferred = settings.kubeletPreferredAddressTypes.map(
      (wanted) => addresses.find(({type, address}) => type === wanted && address)?.address,
    );
    const name = preferred.find((address) => address !== undefined);
    if (name === undefined) throw serviceUnavailable(`no preferred addresses found; known addresses: ${JSON.stringify(addresses)}`);
    const port = node.status?.daemonEndpoints?.kubeletEndpoint?.Port || defaultPort;
    const host = await resolvedProxyAddress(name, settings.proxyToLoopback);
    if (await this.#isApiServer(host, port)) throw badRequest(`address not allowed: an API server listens on port ${port} of ${name}`);
    return {protocol: 'https', host, ...(parseIp(name) ? {} : {name}), port, path, tls: await this.#credentials()};
  }

  /** Whether this server, or another one of the store, is reached there. */
  async #isApiServer(host: string, port: number): Promise<boolean> {
    const {resources, naming, endpoint} = this.#parts;
    if (port === endpoint.port && (host === endpoint.address || isOfThisMachine(host))) return true;
    let published: Endpoints;
    try {
      published = await resources.get(endpoints, ownServiceNamespace, ownServiceName(naming));
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
    return (published.subsets ?? []).some(
      ({addresses = [], ports = []}) => ports.some((one) => one.port === port) && addresses.some(({ip}) => ip === host),
    );
  }

  /** Read on first use, and again after a failure. */
  #credentials(): Promise<BackendTls> {
    if (!this.#tls) {
      this.#tls = readCredentials(this.#parts.settings);
      this.#tls.catch(() => (this.#tls = undefined));
    }
    return this.#tls;
  }
}

function isOfThisMachine(host: string): boolean {
  const entries = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return isLoopback(parseIp(host)!) || entries.some(({address}) => formatIp(parseIp(address)!) === host);
}

async function readCredentials(settings: PodSettings): Promise<BackendTls> {
  const files = {ca: settings.kubeletCertificateAuthority, cert: settings.kubeletClientCertificate, key: settings.kubeletClientKey};
  const given = Object.entries(files).filter(([, file]) => file !== '');
  return Object.fromEntries(await Promise.all(given.map(async ([member, file]) => [member, await readFile(file, 'utf8')] as const)));
}
