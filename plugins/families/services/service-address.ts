import {
  StatusError,
  WebhookError,
  type ApiList,
  type ApiObject,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
  type WebhookServiceReference,
  type Unchecked,
} from '../../../sdk/index.js';
import type * as core from '../../../sdk/types/core/v1.js';
import {
  addressText,
  readyAddress,
  readySliceAddress,
  type BackendAddress,
  type EndpointSliceAddresses,
  type EndpointSubsets,
} from './service-endpoints.js';

type Service = Unchecked<core.Service>;

const servicesRef: ResourceRef = {group: '', version: 'v1', resource: 'services'};
const endpointsRef: ResourceRef = {group: '', version: 'v1', resource: 'endpoints'};
const endpointSlicesRef: ResourceRef = {group: 'discovery.orch', version: 'v1', resource: 'endpointslices'};

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
): Promise<BackendAddress> {
  const title = JSON.stringify(`${namespace}/${name}`);
  const service = await unlessMissing<Service>(resources.get(servicesRef, namespace, name));
  if (!service) throw new WebhookError('NoBackend', `service ${title} not found`);
  const {type, externalName = '', clusterIP = '', ports = []} = service.spec ?? {};
  if (type === 'ExternalName') return {host: externalName.replace(/\.$/, ''), port};
  const servicePort = ports.find((candidate) => candidate.port === port);
  if (!servicePort) throw new WebhookError('NoBackend', `no service port ${port} found for service ${title}`);
  const portName = servicePort.name ?? '';

  const endpoints = await unlessMissing<ApiObject & EndpointSubsets>(resources.get(endpointsRef, namespace, name));
  const chosen = endpoints && readyAddress(endpoints, portName);
  if (chosen) return chosen;
  const labelSelector = `${naming.key('orch/service-name')}=${name}`;
  const slices = (await unlessMissing<ApiList>(resources.list(endpointSlicesRef, namespace, {labelSelector})))?.items ?? [];
  const sliced = readySliceAddress(slices as readonly EndpointSliceAddresses[], portName);
  if (sliced) return sliced;

  const [own] = endpoints || slices.length > 0 ? [] : addressText(clusterIP);
  if (own === undefined) throw new WebhookError('NoBackend', `no endpoints available for service ${title}`);
  return {host: own, port};
}

/** Undefined if the object, or the whole type, does not exist. */
async function unlessMissing<T>(read: Promise<unknown>): Promise<T | undefined> {
  try {
    return (await read) as T;
  } catch (error) {
    if (StatusError.is(error) && error.code === 404) return undefined;
    throw new WebhookError('NoBackend', `what is behind the service cannot be read: ${(error as Error).message}`, {cause: error});
  }
}
