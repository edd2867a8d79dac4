import type {Duplex} from 'node:stream';
import {
  badRequest,
  inject,
  Tokens,
  virtualResource,
  type ConnectRequest,
  type NamingProfile,
  type NodeAgents,
  type ResourceClient,
  type ServerEndpoint,
  type VirtualResource,
} from '../../../sdk/index.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';
import {forwardUpgrade, refuseUpgrade} from '../../families/proxy/upgrade-tunnel.js';
import {Kubelet, type KubeletParts} from './kubelet.js';
import type {PodSettings} from './pod-settings.js';
import {containerOf, hostOf} from './pod-container.js';
import {pods} from './pod.js';

/** An operation that takes over the connection and is carried out by the kubelet of the pod's node. */
abstract class PodStream implements VirtualResource {
  readonly #kubelet: Kubelet;
  readonly #resources: ResourceClient;

  constructor(parts: KubeletParts) {
    this.#resources = parts.resources;
    this.#kubelet = new Kubelet(parts);
  }

  /** The kubelet's path and query. @throws StatusError 400 */
  protected abstract pathFor(pod: Pod, request: ConnectRequest): string;

  /** A stream requires an upgrade of the connection; what is wrong with the pod is said first, as Kubernetes does. */
  async connect(request: ConnectRequest): Promise<void> {
    const pod = (await this.#resources.get(pods, request.namespace, request.name)) as Pod;
    this.pathFor(pod, request);
    hostOf(pod);
    throw badRequest('Upgrade request required');
  }

  async upgrade(request: ConnectRequest, socket: Duplex, head: Buffer): Promise<void> {
    try {
      const pod = (await this.#resources.get(pods, request.namespace, request.name)) as Pod;
      const path = this.pathFor(pod, request);
      await forwardUpgrade(request, socket, head, await this.#kubelet.backend(hostOf(pod), path));
    } catch (error) {
      refuseUpgrade(socket, error);
    }
  }
}

function streamPath(operation: string, segments: readonly string[], parameters: Iterable<[string, string]>): string {
  const query = new URLSearchParams([...parameters]).toString();
  return `/${[operation, ...segments].map(encodeURIComponent).join('/')}${query === '' ? '' : `?${query}`}`;
}

/** The stream options in the kubelet's form. */
function switches(query: URLSearchParams): [string, string][] {
  const names = [
    ['stdin', 'input'],
    ['stdout', 'output'],
    ['stderr', 'error'],
    ['tty', 'tty'],
  ] as const;
  return names.filter(([name]) => ['true', '1', ''].includes(query.get(name) ?? 'false')).map(([, word]) => [word, '1']);
}

/** The `exec` subresource of pods: runs a command in a container. */
@virtualResource()
export class PodExec extends PodStream {
  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Endpoint) endpoint: ServerEndpoint,
    @inject(Tokens.NodeAgents) agents: NodeAgents,
    @inject(Tokens.Config) settings: PodSettings,
  ) {
    super({resources, naming, endpoint, agents, settings});
  }

  protected pathFor(pod: Pod, {namespace, name, query}: ConnectRequest): string {
    const commands = query.getAll('command');
    if (commands.length === 0) throw badRequest('you must specify at least 1 command for the container');
    const container = containerOf(pod, query.get('container') ?? '');
    return streamPath(
      'exec',
      [namespace, name, container],
      [...switches(query), ...commands.map((word): [string, string] => ['command', word])],
    );
  }
}

/** The `attach` subresource of pods: attaches to the streams of a container's main process. */
@virtualResource()
export class PodAttach extends PodStream {
  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Endpoint) endpoint: ServerEndpoint,
    @inject(Tokens.NodeAgents) agents: NodeAgents,
    @inject(Tokens.Config) settings: PodSettings,
  ) {
    super({resources, naming, endpoint, agents, settings});
  }

  protected pathFor(pod: Pod, {namespace, name, query}: ConnectRequest): string {
    return streamPath('attach', [namespace, name, containerOf(pod, query.get('container') ?? '')], switches(query));
  }
}

/** The `portforward` subresource of pods: forwards connections to ports of the pod. */
@virtualResource()
export class PodPortForward extends PodStream {
  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Endpoint) endpoint: ServerEndpoint,
    @inject(Tokens.NodeAgents) agents: NodeAgents,
    @inject(Tokens.Config) settings: PodSettings,
  ) {
    super({resources, naming, endpoint, agents, settings});
  }

  protected pathFor(_pod: Pod, {namespace, name, query}: ConnectRequest): string {
    return streamPath(
      'portForward',
      [namespace, name],
      query.getAll('ports').map((port): [string, string] => ['port', port]),
    );
  }
}
