import {
  isNotFound,
  WebhookError,
  type ApiList,
  type ApiObject,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
  type WebhookServiceReference,
} from '../../../sdk/index.js';
import type {Service} from '../../../sdk/types/unchecked/core/v1.js';
import {
  addressText,
  readyAddress,
  readySliceAddress,
  type BackendAddress,
  type EndpointSliceAddresses,
  type EndpointSubsets,
} from './service-endpoints.js';

const servicesRef: ResourceRef = {group: '', version: 'v1', resource: 'services'};
const endpointsRef: ResourceRef = {group: '', version: 'v1', resource: 'endpoints'};
const endpointSlicesRef: ResourceRef = {group: 'discovery.orch', version: 'v1', resource: 'endpointslices'};

/** How an address is chosen. */
export interface AddressChoice {
  /** Only the service's own address, never those behind it. Default false. */
  readonly clusterIpOnly?: boolean;
  /** Reads what the server's cache has, for those who ask for each request. Default false. */
  readonly fromCache?: boolean;
}

/**
 * Where to connect to for a service of this server: its external name; one of the ready addresses behind it; or, if there are no endpoint
 * objects, its cluster IP.
 *
 * @throws WebhookError (`NoBackend`) if the service or its port does not exist, or nothing behind it is ready
 */
export async function serviceAddress(
  resources: ResourceClient,
  naming: NamingProfile,
  {namespace, name, port = 443}: WebhookServiceReference,
  {clusterIpOnly = false, fromCache = false}: AddressChoice = {},
): Promise<BackendAddress> {
  const title = JSON.stringify(`${namespace}/${name}`);
  const read = fromCache ? {resourceVersion: '0'} : {};
  const service = await unlessMissing<Service>(resources.get(servicesRef, namespace, name, read));
  if (!service) throw new WebhookError('NoBackend', `service ${title} not found`);
  const {type, externalName = '', clusterIP = '', ports = []} = service.spec ?? {};
  if (type === 'ExternalName') return {host: externalName.replace(/\.$/, ''), port};
  const servicePort = ports.find((candidate) => candidate.port === port);
  if (!servicePort) throw new WebhookError('NoBackend', `no service port ${port} found for service ${title}`);
  const portName = servicePort.name ?? '';

  if (clusterIpOnly) return ownAddress(clusterIP, port, title);
  const endpoints = await unlessMissing<ApiObject & EndpointSubsets>(resources.get(endpointsRef, namespace, name, read));
  const chosen = endpoints && readyAddress(endpoints, portName);
  if (chosen) return chosen;
  const labelSelector = `${naming.key('orch/service-name')}=${name}`;
  const slices = (await unlessMissing<ApiList>(resources.list(endpointSlicesRef, namespace, {labelSelector, ...read})))?.items ?? [];
  const sliced = readySliceAddress(slices as readonly EndpointSliceAddresses[], portName);
  if (sliced) return sliced;

  return ownAddress(endpoints || slices.length > 0 ? '' : clusterIP, port, title);
}

/** @throws WebhookError (`NoBackend`) where there is none */
function ownAddress(clusterIP: string, port: number, title: string): BackendAddress {
  const [host] = addressText(clusterIP);
  if (host === undefined) throw new WebhookError('NoBackend', `no endpoints available for service ${title}`);
  return {host, port};
}

/** Undefined if the object, or the whole type, does not exist. */
async function unlessMissing<T>(read: Promise<unknown>): Promise<T | undefined> {
  try {
    return (await read) as T;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw new WebhookError('NoBackend', `the endpoints of the service cannot be read: ${(error as Error).message}`, {cause: error});
  }
}
