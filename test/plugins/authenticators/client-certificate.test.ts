import 'reflect-metadata';
import test from 'ava';
import {createHash, X509Certificate, webcrypto} from 'node:crypto';
import * as x509 from '@peculiar/x509';
import {kubernetes} from '../../../core/api/naming/kubernetes.js';
import {CertificateIdentities} from '../../../plugins/authenticators/client-certificate/certificate-identities.js';
import {ClientCertificate} from '../../../plugins/authenticators/client-certificate/plugin.js';
import {StatusError, type AuthenticationRequest, type FeatureGates} from '../../../sdk/index.js';

const algorithm = {name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256'};
const hour = 3_600_000;

type Names = Record<string, (string | {utf8String: string})[]>[];

async function certificate(name: Names, from = -hour, to = hour): Promise<X509Certificate> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const made = await x509.X509CertificateGenerator.createSelfSigned({
    name: name as Record<string, string[]>[],
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() + from),
    notAfter: new Date(Date.now() + to),
  });
  return new X509Certificate(made.toString('pem'));
}

function clientCertificate(...enabled: string[]): ClientCertificate {
  return new ClientCertificate(kubernetes, {enabled: (gate) => enabled.includes(gate)} as FeatureGates);
}

function request(certificate: X509Certificate | undefined, authorized = true, problem?: string): AuthenticationRequest {
  return {
    header: () => [],
    headers: () => [],
    clientCertificate: () => (certificate ? {certificate, authorized, ...(problem ? {problem} : {})} : undefined),
    path: '/',
    remoteAddress: '127.0.0.1',
    audiences: [],
  };
}

test('[B-METH-5] the common name is the user and every organization is a group', async (t) => {
  const user = clientCertificate().authenticate(request(await certificate([{O: ['dev']}, {O: ['system:masters']}, {CN: ['ada']}])));
  t.deepEqual(user, {username: 'ada', groups: ['dev', 'system:masters']});
});

test('organizations in one part of the name are groups like those in several', async (t) => {
  const user = clientCertificate().authenticate(request(await certificate([{O: ['b', 'a']}, {CN: ['ada']}])));
  t.deepEqual([...user!.groups].sort(), ['a', 'b']);
});

test('a certificate without organizations gives a user without groups', async (t) => {
  t.deepEqual(clientCertificate().authenticate(request(await certificate([{CN: ['ada']}]))), {username: 'ada', groups: []});
});

test('where the release has ids, the user has that of the certificate: its fingerprint', async (t) => {
  const shown = await certificate([{O: ['dev']}, {CN: ['ada']}]);
  const id = `X509SHA256=${createHash('sha256').update(shown.raw).digest('hex')}`;
  const user = clientCertificate('CredentialIds').authenticate(request(shown));
  t.deepEqual(user, {username: 'ada', groups: ['dev'], extra: {'authentication.kubernetes.io/credential-id': [id]}});
  t.deepEqual(clientCertificate().authenticate(request(shown)), {username: 'ada', groups: ['dev']});
});

test('with its gate the subject may have one uid of the user, and a subject with several names nobody', async (t) => {
  const oid = '1.3.6.1.4.1.57683.2';
  const one = request(await certificate([{CN: ['ada']}, {[oid]: [{utf8String: 'u-1'}]}]));
  t.is(clientCertificate('AllowParsingUserUIDFromCertAuth').authenticate(one)?.uid, 'u-1');
  t.is(clientCertificate().authenticate(one)?.uid, undefined);
  const two = request(await certificate([{CN: ['ada']}, {[oid]: [{utf8String: 'u-1'}]}, {[oid]: [{utf8String: 'u-2'}]}]));
  const error = t.throws(() => clientCertificate('AllowParsingUserUIDFromCertAuth').authenticate(two), {instanceOf: StatusError});
  t.regex((error.cause as Error).message, /expected 1 UID, but found multiple/);
});

test('names keep separators, quotes, line breaks and letters of every script', async (t) => {
  const odd = [
    'a, O=system:masters',
    'a+O=system:masters',
    'a\nO=system:masters',
    'say "hi',
    '\\',
    ' space ',
    'a#b',
    'Zoë Ωmega 人 🚀',
    'a/CN=b',
    'a=b;c<d>',
  ];
  for (const name of odd) {
    const user = clientCertificate().authenticate(request(await certificate([{O: [name]}, {CN: [`user ${name}`]}])));
    t.deepEqual(user, {username: `user ${name}`, groups: [name]}, JSON.stringify(name));
  }
});

test('a certificate without a common name names nobody', async (t) => {
  t.is(clientCertificate().authenticate(request(await certificate([{O: ['system:masters']}]))), undefined);
});

test('of several common names the last one counts', async (t) => {
  t.is(clientCertificate().authenticate(request(await certificate([{CN: ['first']}, {CN: ['last']}])))?.username, 'last');
});

test('a request without a certificate carries no credentials of this method', (t) => {
  t.is(clientCertificate().authenticate(request(undefined)), undefined);
});

test('a certificate that no client CA has signed is refused with 401, and the reason stays in the cause', async (t) => {
  const presented = request(await certificate([{CN: ['ada']}]), false, 'self-signed certificate');
  const error = t.throws(() => clientCertificate().authenticate(presented), {instanceOf: StatusError, message: 'Unauthorized'});
  t.is(error.code, 401);
  t.regex((error.cause as Error).message, /self-signed certificate/);
});

test('an expired certificate is refused with 401', async (t) => {
  const expired = await certificate([{CN: ['ada']}], -2 * hour, -hour);
  const error = t.throws(() => clientCertificate().authenticate(request(expired)), {instanceOf: StatusError});
  t.is(error.code, 401);
  t.regex((error.cause as Error).message, /expired/);
});

test('a certificate that is not valid yet is refused with 401', async (t) => {
  const early = await certificate([{CN: ['ada']}], hour, 2 * hour);
  const error = t.throws(() => clientCertificate().authenticate(request(early)), {instanceOf: StatusError});
  t.regex((error.cause as Error).message, /not valid before/);
});

test('expiry is checked on every call, also for a certificate that is known', async (t) => {
  const authenticator = clientCertificate();
  const known = await certificate([{CN: ['ada']}]);
  const end = Date.parse(known.validTo);
  t.is(authenticator.authenticate(request(known))?.username, 'ada');
  t.is(authenticator.authenticate(request(known), end)?.username, 'ada');
  t.throws(() => authenticator.authenticate(request(known), end + 1), {instanceOf: StatusError});
});

test('a certificate is read once, also when another connection presents it', async (t) => {
  const identities = new CertificateIdentities();
  const first = await certificate([{CN: ['ada']}]);
  const again = new X509Certificate(first.raw);
  t.is(identities.of(first), identities.of(again));
});

test('the identities that are remembered are bounded', async (t) => {
  const identities = new CertificateIdentities({}, 2);
  const first = await certificate([{CN: ['1']}]);
  const known = identities.of(first);
  for (const name of ['2', '3']) identities.of(await certificate([{CN: [name]}]));
  t.not(identities.of(new X509Certificate(first.raw)), known);
});
