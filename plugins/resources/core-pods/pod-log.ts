import type {ServerResponse} from 'node:http';
import {
  badRequest,
  FieldPath,
  inject,
  invalid,
  invalidObject,
  Tokens,
  virtualResource,
  type ConnectRequest,
  type FieldError,
  type NamingProfile,
  type NodeAgents,
  type ResourceClient,
  type ServerEndpoint,
  type VirtualResource,
} from '../../../sdk/index.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';
import {forwardRequest} from '../../families/proxy/reverse-proxy.js';
import {Kubelet} from './kubelet.js';
import type {PodSettings} from './pod-settings.js';
import {pods} from './pod.js';
import {containerOf, hostOf} from './pod-container.js';

/** The `log` subresource of pods: a container's output, as reported by the kubelet of its node. */
@virtualResource()
export class PodLog implements VirtualResource {
  readonly #kubelet: Kubelet;
  readonly #resources: ResourceClient;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Endpoint) endpoint: ServerEndpoint,
    @inject(Tokens.NodeAgents) agents: NodeAgents,
    @inject(Tokens.Config) settings: PodSettings,
  ) {
    this.#resources = resources;
    this.#kubelet = new Kubelet({resources, naming, endpoint, agents, settings});
  }

  async connect(request: ConnectRequest, response: ServerResponse): Promise<void> {
    const {namespace, name, query} = request;
    const faults = optionFaults(query);
    if (faults.length > 0) throw invalidObject({group: '', kind: 'PodLogOptions'}, name, faults);
    const pod = (await this.#resources.get(pods, namespace, name)) as Pod;
    const container = containerOf(pod, query.get('container') ?? '');
    // Without a running container there is no output; clients that wait for a pod continue without an error.
    if (!pod.spec?.nodeName) return sendNothing(response);
    const path = ['containerLogs', namespace, name, container].map(encodeURIComponent).join('/');
    const backend = await this.#kubelet.backend(hostOf(pod), `/${path}?${logOptions(query).toString()}`);
    await forwardRequest(request, response, backend);
  }
}

function sendNothing(response: ServerResponse): void {
  response.writeHead(204);
  response.end();
}

const forwarded = ['follow', 'previous', 'timestamps', 'sinceSeconds', 'sinceTime', 'tailLines', 'limitBytes'];

function logOptions(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([name, value]) => forwarded.includes(name) && value !== 'false'));
}

/** @throws 400 for what is no number or time */
function optionFaults(query: URLSearchParams): FieldError[] {
  const sinceTime = query.get('sinceTime');
  if (sinceTime && Number.isNaN(Date.parse(sinceTime))) {
    const shown = JSON.stringify(sinceTime);
    throw badRequest(`parsing time ${shown} as "2006-01-02T15:04:05Z07:00": cannot parse ${shown} as "2006"`);
  }
  const faults = [
    ...numberFaults(query, 'tailLines', 0, 'must be greater than or equal to 0'),
    ...numberFaults(query, 'limitBytes', 1, 'must be greater than 0'),
    ...numberFaults(query, 'sinceSeconds', 1, 'must be greater than 0'),
  ];
  if (sinceTime && query.has('sinceSeconds'))
    faults.push(invalid(FieldPath.root, '', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  return faults;
}

function numberFaults(query: URLSearchParams, name: string, minimum: number, detail: string): FieldError[] {
  const text = query.get(name);
  if (text === null || text === '') return [];
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text) >= minimum ? [] : [invalid(FieldPath.of(name), Number(text), detail)];
}
