import {writeFileSync} from 'node:fs';
import {networkInterfaces} from 'node:os';
import {join} from 'node:path';
import {startTestServer, type ServerOptions, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../../helpers/eventually.js';
import {tempFolder, type Teardown} from '../../../helpers/temp-folder.js';
import {makeAuthority, makeLeaf} from '../../../helpers/test-certificates.js';

/** A server with aggregation, and the CA that vouches for it before others. */
export interface FrontServer {
  readonly server: TestServer;
  /** File with the CA of the certificate that it shows to aggregated API servers. */
  readonly requestHeaderCa: string;
}

/** Services may be on loopback, and checks are frequent. */
export async function startFrontServer(t: Teardown, options: ServerOptions = {}): Promise<FrontServer> {
  const folder = tempFolder(t);
  const authority = await makeAuthority('front-proxy-ca');
  const leaf = await makeLeaf(authority, 'client', 'front-proxy');
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const server = await startTestServer({
    ...options,
    flags: {
      'proxy-client-cert-file': file('client.crt', leaf.certificate),
      'proxy-client-key-file': file('client.key', leaf.key),
      ...options.flags,
    },
    configuration: {
      plugins: {aggregator: {config: {proxyToLoopback: true, checkMilliseconds: 300, refreshMilliseconds: 300}}},
      ...options.configuration,
    },
  });
  t.teardown(() => server.stop());
  return {server, requestHeaderCa: file('ca.crt', authority.certificate)};
}

/** An address of this machine that endpoints may have: loopback is not accepted. Undefined where there is no network. */
export const machineAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({internal, family}) => !internal && family === 'IPv4')?.address;

/** Writes a service with endpoints on ports of this machine. */
export async function writeService({client}: TestServer, name: string, ports: readonly number[]): Promise<void> {
  const path = '/api/v1/namespaces/default';
  await client.put(`${path}/services/${name}`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {name},
    spec: {ports: [{name: 'https', port: 443}]},
  });
  await writeEndpoints(client, name, ports);
}

export async function writeEndpoints(client: TestServer['client'], name: string, ports: readonly number[]): Promise<void> {
  await client.put(`/api/v1/namespaces/default/endpoints/${name}`, {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {name},
    subsets: ports.map((port) => ({addresses: [{ip: machineAddress}], ports: [{name: 'https', port}]})),
  });
}

export interface ApiServiceInput {
  readonly group: string;
  readonly version?: string;
  readonly service: string;
  /** PEM; without it nothing is verified. */
  readonly ca?: string;
  readonly spec?: object;
}

/** Creates an APIService. */
export async function createApiService({client}: TestServer, input: ApiServiceInput, apiGroup = 'apiregistration.orch'): Promise<void> {
  const {group, version = 'v1', service, ca, spec} = input;
  const answer = await client.post(`/apis/${apiGroup}/v1/apiservices`, {
    apiVersion: `${apiGroup}/v1`,
    kind: 'APIService',
    metadata: {name: `${version}.${group}`},
    spec: {
      group,
      version,
      groupPriorityMinimum: 2000,
      versionPriority: 50,
      service: {name: service, namespace: 'default'},
      ...(ca === undefined ? {insecureSkipTLSVerify: true} : {caBundle: Buffer.from(ca).toString('base64')}),
      ...spec,
    },
  });
  if (answer.status !== 201) throw new Error(answer.body.toString());
}

export interface Condition {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
}

/** Waits until an APIService is available, or not for the reason given. */
export async function availability(
  {client}: TestServer,
  name: string,
  reason: string,
  apiGroup = 'apiregistration.orch',
): Promise<Condition> {
  const look = async () => {
    const {status} = (await client.get(`/apis/${apiGroup}/v1/apiservices/${name}`)).json<{status?: {conditions?: Condition[]}}>();
    return status?.conditions?.find((condition) => 'reason' in condition);
  };
  return (await eventually(look, (condition) => condition?.reason === reason))!;
}

/** Writes a service that is somewhere else: at a port of loopback that whoever refers to it has to name. */
export async function writeExternalService({client}: TestServer, name: string): Promise<void> {
  await client.post('/api/v1/namespaces/default/services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {name},
    spec: {type: 'ExternalName', externalName: '127.0.0.1'},
  });
}
