import {createHmac} from 'node:crypto';
import test from 'ava';
import {verifyClusterInfo} from '../../../sdk/client/index.js';

const token = 'abc123.0123456789abcdef';
const kubeconfig = 'apiVersion: v1\nkind: Config\nclusters: []\n';

function signed(header: object | string, {payload = kubeconfig, secret = token, hash = 'sha256'} = {}): string {
  const first = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header)).toString('base64url');
  const mac = createHmac(hash, secret)
    .update(`${first}.${Buffer.from(payload).toString('base64url')}`)
    .digest('base64url');
  return `${first}..${mac}`;
}

const data = (signature: string) => ({kubeconfig, 'jws-kubeconfig-abc123': signature});

test('cluster data signed with the token are answered', (t) => {
  t.is(verifyClusterInfo(data(signed({alg: 'HS256', kid: 'abc123'})), token), kubeconfig);
});

test('a signature with another algorithm than HS256 is refused, also when it is right [B-BOOT-16]', (t) => {
  for (const [alg, hash] of [
    ['HS384', 'sha384'],
    ['HS512', 'sha512'],
    ['none', 'sha256'],
    ['RS256', 'sha256'],
    ['hs256', 'sha256'],
  ] as const) {
    t.throws(() => verifyClusterInfo(data(signed({alg, kid: 'abc123'}, {hash})), token), {
      message: `the signature of cluster-info uses the algorithm "${alg}", but only HS256 is accepted`,
    });
  }
  t.throws(() => verifyClusterInfo(data(signed({kid: 'abc123'})), token), {message: /algorithm undefined/});
  t.throws(() => verifyClusterInfo(data(`${Buffer.from('{"alg":"none"}').toString('base64url')}..`), token), {
    message: /not a detached JWS/,
  });
});

test('what is not signed, or not with this token, or changed afterwards is refused', (t) => {
  const header = {alg: 'HS256', kid: 'abc123'};
  t.throws(() => verifyClusterInfo({kubeconfig}, token), {message: /not signed with the token abc123/});
  t.throws(() => verifyClusterInfo({'jws-kubeconfig-abc123': signed(header)}, token), {message: /contains no kubeconfig/});
  t.throws(() => verifyClusterInfo(data(signed(header, {secret: 'abc123.fedcba9876543210'})), token), {
    message: /is invalid: it was modified/,
  });
  t.throws(() => verifyClusterInfo(data(signed(header, {payload: 'changed'})), token), {message: /is invalid: it was modified/});
  t.throws(() => verifyClusterInfo(data(signed({...header, kid: 'zzz999'})), token), {message: /belongs to the token "zzz999"/});
  t.throws(() => verifyClusterInfo(data(signed('no json')), token), {message: /no readable header/});
  t.throws(() => verifyClusterInfo(data('a.b.c'), token), {message: /not a detached JWS/});
  t.throws(() => verifyClusterInfo(data(signed(header)), 'abc123'), {message: /does not have the form ID\.SECRET/});
});
