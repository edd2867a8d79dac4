import {generateKey, issueCertificate} from '../../core/pki/issue-certificate.js';
import {readServerFile, type TestServer} from '@orch-api/orch/testing';
import {httpsClient, type HttpsClient} from './https-client.js';
import type {Teardown} from './temp-folder.js';

/** A certificate of a server's own CA: the common name is the user, the organizations are its groups. */
export async function userCredentials(
  server: TestServer,
  user: string,
  groups: readonly string[] = [],
): Promise<{ca: string; cert: string; key: string}> {
  const [key, ca, caKey] = await Promise.all([
    generateKey(),
    readServerFile(server, 'pki', 'ca.crt'),
    readServerFile(server, 'pki', 'ca.key'),
  ]);
  const cert = await issueCertificate({
    subject: {commonName: user, organizations: groups},
    key,
    notAfter: Date.now() + 3_600_000,
    usage: 'client',
    issuer: {certificate: ca, key: caKey},
  });
  return {ca, cert, key};
}

/** A client with such a certificate. */
export async function userClient(t: Teardown, server: TestServer, user: string, groups?: readonly string[]): Promise<HttpsClient> {
  return httpsClient(t, {url: server.url, ...(await userCredentials(server, user, groups))});
}

/** A client that shows no certificate. */
export async function strangerClient(t: Teardown, server: TestServer): Promise<HttpsClient> {
  return httpsClient(t, {url: server.url, ca: await readServerFile(server, 'pki', 'ca.crt')});
}
