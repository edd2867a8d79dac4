import type {ExecutionContext} from 'ava';
import {generateKey, issueCertificate} from '../../core/pki/issue-certificate.js';
import {readServerFile, type TestServer} from '@orch-api/orch/testing';
import {httpsClient, type HttpsClient} from '../helpers/https-client.js';

/** A client of a user who may use exactly these verbs; see the fixtures' authorizer. */
export async function userWho(t: ExecutionContext, server: TestServer, ...verbs: string[]): Promise<HttpsClient> {
  const [key, ca, caKey] = await Promise.all([
    generateKey(),
    readServerFile(server, 'pki', 'ca.crt'),
    readServerFile(server, 'pki', 'ca.key'),
  ]);
  const subject = {commonName: ['may', ...verbs].join('.'), organizations: ['testers']};
  const cert = await issueCertificate({
    subject,
    key,
    notAfter: Date.now() + 3_600_000,
    usage: 'client',
    issuer: {certificate: ca, key: caKey},
  });
  return httpsClient(t, {url: server.url, ca, cert, key});
}
