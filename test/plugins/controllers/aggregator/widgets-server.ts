import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {generateKey, issueCertificate} from '../../../../core/pki/issue-certificate.js';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {projectRoot} from '../../../helpers/project-root.js';
import {startRedis} from '../../../helpers/redis-server.js';
import {tempFolder, type Teardown} from '../../../helpers/temp-folder.js';
import {makeAuthority} from '../../../helpers/test-certificates.js';

/** An API server for one type of its own, started several times on one store. */
export interface WidgetsServers {
  readonly ca: string;
  readonly servers: readonly TestServer[];
  /** Starts one more. */
  start(): Promise<TestServer>;
}

export function portOf({url}: TestServer): number {
  return Number(new URL(url).port);
}

interface WidgetsOptions {
  /** File with the CA of whoever may speak for others. */
  readonly requestHeaderCa: string;
  /** Name of the service in `default` that leads to them. */
  readonly service: string;
  readonly count?: number;
  readonly platform?: string;
}

/**
 * Servers of `widgets.examples.example.com` that know callers by request headers. Who may do what is for the server before them to say.
 * One of them has its objects in memory, several on one Redis.
 */
export async function startWidgetsServers(
  t: Teardown,
  {requestHeaderCa, service, count = 1, platform = 'orch'}: WidgetsOptions,
): Promise<WidgetsServers> {
  const folder = tempFolder(t);
  const authority = await makeAuthority('widgets-ca');
  const key = await generateKey();
  const certificate = await issueCertificate({
    subject: {commonName: service},
    key,
    notAfter: Date.now() + 3_600_000,
    usage: 'server',
    issuer: authority,
    names: {dns: [`${service}.default.svc`], ip: []},
  });
  writeFileSync(join(folder, 'tls.crt'), certificate);
  writeFileSync(join(folder, 'tls.key'), key);
  const redis = count > 1 ? await startRedis(t as Parameters<typeof startRedis>[0]) : undefined;
  const start = async () => {
    const server = await startTestServer({
      store: redis?.url ?? 'memory',
      platform,
      bindAddress: '0.0.0.0',
      authorizationMode: ['AlwaysAllow'],
      onlyPlugins: ['store-redis', 'store-embedded', 'request-header', 'client-certificate', 'masters'],
      plugins: [join(projectRoot(), 'examples', 'resource-schema-only')],
      flags: {
        'requestheader-client-ca-file': requestHeaderCa,
        'requestheader-username-headers': ['X-Remote-User'],
        'requestheader-group-headers': ['X-Remote-Group'],
        'requestheader-extra-headers-prefix': ['X-Remote-Extra-'],
      },
      tlsCertFile: join(folder, 'tls.crt'),
      tlsPrivateKeyFile: join(folder, 'tls.key'),
    });
    t.teardown(() => server.stop());
    return server;
  };
  const servers: TestServer[] = [];
  for (let index = 0; index < count; index += 1) servers.push(await start());
  return {ca: authority.certificate, servers, start};
}
