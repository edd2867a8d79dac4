import {isNotFound, StatusError, WebhookError, type ApiObject, type Unchecked} from '../../../sdk/index.js';
import type * as core from '../../../sdk/types/core/v1.js';
import type {APIServiceCondition} from '../../../sdk/types/unchecked/apiregistration/v1.js';
import {readyAddress, type EndpointSubsets} from '../../families/services/service-endpoints.js';
import {versionPath, type RemoteService} from './api-service.js';
import type {RemoteParts, RemoteServer} from './remote-server.js';

/** The result of a check: a condition without times. */
export type Finding = Required<Pick<APIServiceCondition, 'status' | 'reason' | 'message'>>;

const services = {group: '', version: 'v1', resource: 'services'};
const endpoints = {group: '', version: 'v1', resource: 'endpoints'};
const passed: Finding = {status: 'True', reason: 'Passed', message: 'all checks passed'};
/** One answer is enough: of several endpoints not all need to work. */
const attempts = 5;
const attemptMillis = 5000;
const maximumBytes = 4 * 1024 * 1024;

/**
 * Whether the service that an APIService names can answer for its group version, with the reasons of Kubernetes 1.26. Unlike there, the
 * server's certificate is verified as for any request: what is called available can be used.
 *
 * @throws the signal's reason
 */
export async function checkAvailability(
  remote: RemoteServer,
  place: {readonly group: string; readonly version: string},
  {resources}: Pick<RemoteParts, 'resources'>,
  signal: AbortSignal,
): Promise<Finding> {
  const {namespace, name, port} = remote.service;
  const where = `service/${name} in ${JSON.stringify(namespace)}`;
  let service: Unchecked<core.Service>;
  try {
    service = await resources.get(services, namespace, name);
  } catch (error) {
    if (isNotFound(error)) return refused('ServiceNotFound', `${where} is not present`);
    return unknown('ServiceAccessError', `${where} cannot be checked due to: ${(error as Error).message}`);
  }
  if ((service.spec?.type ?? 'ClusterIP') === 'ClusterIP') {
    const found = service.spec?.ports?.find((candidate) => candidate.port === port);
    if (!found) return refused('ServicePortError', `${where} is not listening on port ${port}`);
    const finding = await checkEndpoints(remote.service, found.name ?? '', resources);
    if (finding) return finding;
  }
  return checkDiscovery(remote, versionPath(place), signal);
}

async function checkEndpoints(
  {namespace, name}: RemoteService,
  portName: string,
  resources: RemoteParts['resources'],
): Promise<Finding | undefined> {
  const where = `service/${name} in ${JSON.stringify(namespace)}`;
  let found: ApiObject & EndpointSubsets;
  try {
    found = await resources.get(endpoints, namespace, name);
  } catch (error) {
    if (isNotFound(error)) return refused('EndpointsNotFound', `cannot find endpoints for ${where}`);
    return unknown('EndpointsAccessError', `${where} cannot be checked due to: ${(error as Error).message}`);
  }
  if (readyAddress(found, portName)) return undefined;
  return refused('MissingEndpoints', `endpoints for ${where} have no addresses with port name ${JSON.stringify(portName)}`);
}

/** Asks several times at once, as every call may go to another endpoint. */
async function checkDiscovery(remote: RemoteServer, path: string, signal: AbortSignal): Promise<Finding> {
  const enough = new AbortController();
  const any = AbortSignal.any([signal, enough.signal]);
  try {
    await Promise.any(Array.from({length: attempts}, () => ask(remote, path, any)));
    return passed;
  } catch (error) {
    signal.throwIfAborted();
    return refused('FailedDiscoveryCheck', ((error as AggregateError).errors.at(-1) as Error).message);
  } finally {
    enough.abort();
  }
}

async function ask(remote: RemoteServer, path: string, signal: AbortSignal): Promise<void> {
  const {namespace, name, port} = remote.service;
  const url = `https://${name}.${namespace}.svc:${port}${path}`;
  let statusCode: number;
  try {
    ({statusCode} = await remote.fetch({path, accept: 'application/json', maximumBytes, timeoutMillis: attemptMillis}, signal));
  } catch (error) {
    const why = WebhookError.is(error) || StatusError.is(error) ? error.message : String(error);
    throw new Error(`failing or missing response from ${url}: ${why}`, {cause: error});
  }
  if (statusCode < 200 || statusCode > 299) throw new Error(`failing or missing response from ${url}: bad status: ${statusCode}`);
}

function refused(reason: string, message: string): Finding {
  return {status: 'False', reason, message};
}

function unknown(reason: string, message: string): Finding {
  return {status: 'Unknown', reason, message};
}
