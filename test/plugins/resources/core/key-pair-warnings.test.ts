import test from 'ava';
import {warningsOf} from '../../../semantics/answers.js';
import {makeAuthority} from '../../../helpers/test-certificates.js';
import {servedGroup} from '../served-group.js';

const newest = servedGroup(test, {release: '1.36', platform: 'kubernetes'});
const older = servedGroup(test, {release: '1.26', platform: 'kubernetes'});
const base64 = (text: string) => Buffer.from(text).toString('base64');
const block = (type: string, data: string) => `-----BEGIN ${type}-----\n${data}\n-----END ${type}-----\n`;

type Client = ReturnType<typeof newest>;

async function warned(client: Client, certificate: string, key: string): Promise<string[]> {
  const data = {'tls.crt': base64(certificate), 'tls.key': base64(key)};
  const secret = {metadata: {generateName: 'pair-'}, type: 'kubernetes.io/tls', data};
  const response = await client.post('/api/v1/namespaces/default/secrets', secret);
  if (response.status !== 201) throw new Error(response.body.toString());
  return warningsOf(response);
}

/** In the words of a kube-apiserver 1.36. */
test('a certificate that its key does not belong to is warned of, from 1.27 on', async (t) => {
  const [one, other] = await Promise.all([makeAuthority('one'), makeAuthority('other')]);
  const client = newest();
  t.deepEqual(await warned(client, one.certificate, one.key), []);
  for (const [certificate, key, text] of [
    ['', '', 'tls: failed to find any PEM data in certificate input'],
    [
      one.key,
      one.certificate,
      'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
    ],
    [
      block('X', 'AAAA'),
      one.key,
      'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [X]',
    ],
    [one.certificate, one.certificate, 'tls: found a certificate rather than a key in the PEM for the private key'],
    [one.certificate, '', 'tls: failed to find any PEM data in key input'],
    [one.certificate, other.key, 'tls: private key does not match public key'],
    [block('CERTIFICATE', 'AAAA'), one.key, 'x509: malformed certificate'],
    [one.certificate, block('PRIVATE KEY', 'AAAA'), 'tls: failed to parse private key'],
  ] as const)
    t.deepEqual(await warned(client, certificate, key), [text]);
  t.deepEqual(await warned(older(), one.certificate, other.key), []);
});

test('an account that keeps pods from all secrets but its own is warned of once, from 1.32 on', async (t) => {
  const path = '/api/v1/namespaces/default/serviceaccounts';
  const key = 'kubernetes.io/enforce-mountable-secrets';
  const account = {metadata: {name: 'limited', annotations: {[key]: 'true'}}};
  const made = await newest().post(path, account);
  t.deepEqual(warningsOf(made), [
    `metadata.annotations[${key}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
  ]);
  t.deepEqual(warningsOf(await newest().patch(`${path}/limited`, {metadata: {labels: {a: 'b'}}})), []);
  t.deepEqual(warningsOf(await older().post(path, account)), []);
});
