import {
  badRequest,
  inject,
  serviceUnavailable,
  Tokens,
  virtualResource,
  type ConnectRequest,
  type NamingProfile,
  type NodeAgents,
  type ResourceClient,
  type ServerEndpoint,
} from '../../../sdk/index.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';
import type {Backend} from '../../families/proxy/backend.js';
import {pathBehind, proxyAddress, proxyPort, proxyTarget} from '../../families/proxy/proxy-target.js';
import {ObjectProxy} from '../../families/proxy/object-proxy.js';
import {Kubelet} from './kubelet.js';
import type {PodSettings} from './pod-settings.js';
import {pods} from './pod.js';

/** The `proxy` subresource of pods: forwards requests to a port of the pod, by default the first one of its first container. */
@virtualResource()
export class PodProxy extends ObjectProxy {
  readonly #resources: ResourceClient;
  readonly #settings: PodSettings;

  constructor(@inject(Tokens.Resources) resources: ResourceClient, @inject(Tokens.Config) settings: PodSettings) {
    super();
    this.#resources = resources;
    this.#settings = settings;
  }

  protected async backendFor(request: ConnectRequest): Promise<Backend> {
    const {scheme, name, port} = proxyTarget(request.name, 'pod');
    const pod = (await this.#resources.get(pods, request.namespace, name)) as Pod;
    const address = pod.status?.podIPs?.[0]?.ip ?? pod.status?.podIP;
    if (!address) throw badRequest('address not allowed');
    const host = proxyAddress(address, this.#settings.proxyToLoopback);
    const number = port === '' ? firstPort(pod) : proxyPort(port, `pod ${JSON.stringify(name)}`);
    return {protocol: scheme === 'https' ? 'https' : 'http', host, port: number, path: pathBehind(request)};
  }
}

function firstPort({spec}: Pod): number {
  const port = (spec?.containers ?? []).flatMap(({ports}) => ports ?? []).find(({containerPort = 0}) => containerPort > 0);
  return port?.containerPort ?? 80;
}

/** The `proxy` subresource of nodes: forwards requests to the kubelet, or to another port of the node. */
@virtualResource()
export class NodeProxy extends ObjectProxy {
  readonly #kubelet: Kubelet;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Endpoint) endpoint: ServerEndpoint,
    @inject(Tokens.NodeAgents) agents: NodeAgents,
    @inject(Tokens.Config) settings: PodSettings,
  ) {
    super();
    this.#kubelet = new Kubelet({resources, naming, endpoint, agents, settings});
  }

  protected async backendFor(request: ConnectRequest): Promise<Backend> {
    const {scheme, name, port} = proxyTarget(request.name, 'node');
    const agent = await this.#kubelet.backend(name, pathBehind(request));
    if (port === '') return agent;
    const number = proxyPort(port, `node ${JSON.stringify(name)}`);
    if (number === agent.port) return agent;
    if (agent.agent) throw serviceUnavailable(`error trying to reach service: nothing listens on port ${number} of node ${name}`);
    // Other programs on the node are not the kubelet, and do not get our certificate.
    const {tls: _, ...other} = agent;
    return {...other, protocol: scheme === 'https' ? 'https' : 'http', port: number};
  }
}
