import {
  inject,
  serviceUnavailable,
  Tokens,
  virtualResource,
  type ConnectRequest,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import type {Endpoints, Service} from '../../../sdk/types/unchecked/core/v1.js';
import type {Backend} from '../../families/proxy/backend.js';
import {ObjectProxy} from '../../families/proxy/object-proxy.js';
import {pathBehind, proxyAddress, proxyTarget} from '../../families/proxy/proxy-target.js';
import {readyAddress} from '../../families/services/service-endpoints.js';
import type {ServiceSettings} from './service-settings.js';
import {services} from './service.js';

const endpointsRef: ResourceRef = {group: '', version: 'v1', resource: 'endpoints'};

/** The `proxy` subresource of services: forwards requests to one of the addresses behind the service. */
@virtualResource()
export class ServiceProxy extends ObjectProxy {
  readonly #resources: ResourceClient;
  readonly #settings: ServiceSettings;

  constructor(@inject(Tokens.Resources) resources: ResourceClient, @inject(Tokens.Config) settings: ServiceSettings) {
    super();
    this.#resources = resources;
    this.#settings = settings;
  }

  protected async backendFor(request: ConnectRequest): Promise<Backend> {
    const {scheme, name, port} = proxyTarget(request.name, 'service');
    const service: Service = await this.#resources.get(services, request.namespace, name);
    const portName = portNameOf(service, port);
    const endpoints: Endpoints = await this.#resources.get(endpointsRef, request.namespace, name);
    const chosen = readyAddress(endpoints, portName);
    if (!chosen) throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(request.name)}`);
    const host = proxyAddress(chosen.host, this.#settings.proxyToLoopback);
    return {protocol: scheme === 'https' ? 'https' : 'http', host, port: chosen.port, path: pathBehind(request)};
  }
}

/** Clients may give the service's port number; endpoints use port names. */
function portNameOf({metadata, spec}: Service, port: string): string {
  if (!/^\d+$/.test(port)) return port;
  const found = spec?.ports?.find((candidate) => candidate.port === Number(port));
  if (!found) throw serviceUnavailable(`no service port ${port} found for service ${JSON.stringify(metadata.name)}`);
  return found.name ?? '';
}
