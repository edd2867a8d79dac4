import {generateKeyPairSync, randomBytes, sign} from 'node:crypto';
import {family, type Attack} from '../attack.js';
import type {Attacker} from '../client/attacker.js';
import {requestText} from '../client/request-text.js';
import {bodyAttack, fillWith} from './body-attack.js';

const encode = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const issuer = 'https://orch.default.svc.cluster.local';
const claims = {iss: issuer, aud: [issuer], sub: 'system:serviceaccount:default:default', exp: 4_000_000_000, iat: 1};
const {privateKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'});

/** A token of our making. */
function token(header: object, payload: object = claims, signature?: string): string {
  const text = `${encode(header)}.${encode(payload)}`;
  return `${text}.${signature ?? sign('sha256', Buffer.from(text), {key: privateKey, dsaEncoding: 'ieee-p1363'}).toString('base64url')}`;
}

/** Requests with bad tokens, each another. */
const tokens = (name: string, make: (number: number) => string, outcomes: Attack['outcomes'] = [401]): Attack => ({
  name,
  outcomes,
  run: (attacker) =>
    attacker.flood({
      user: 'anonymous',
      connections: 16,
      requests: 4_000,
      request: (connection, number) =>
        requestText('GET', '/api/v1', {headers: [`Authorization: Bearer ${make(connection * 10_000 + number)}`]}),
    }),
});

/** Requests with a body, each another, as fast as they are answered. */
const posts = (
  name: string,
  path: (attacker: Attacker) => string,
  body: (number: number) => string,
  outcomes: Attack['outcomes'],
  more: Partial<Attack> = {},
): Attack => ({
  name,
  outcomes,
  ...more,
  run: (attacker) =>
    attacker.flood({
      user: 'builder',
      connections: 8,
      requests: 2_000,
      request: (connection, number) => requestText('POST', path(attacker), {body: body(connection * 10_000 + number)}),
    }),
});

const authorization = '/apis/authorization.orch/v1';
const tokenReviews = '/apis/authentication.orch/v1/tokenreviews';
const csrs = '/apis/certificates.orch/v1/certificatesigningrequests';
const csr = (request: string, more: object = {}) =>
  JSON.stringify({
    metadata: {generateName: 'csr-'},
    spec: {request, signerName: 'orch/kube-apiserver-client', usages: ['client auth'], ...more},
  });
const pem = (bytes: Buffer) =>
  Buffer.from(`-----BEGIN CERTIFICATE REQUEST-----\n${bytes.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`).toString('base64');

export const access = family(
  'access',
  [
    tokens('random-tokens', () => randomBytes(30).toString('base64url')),
    tokens('many-key-ids', (number) => token({alg: 'ES256', kid: `key-${number}`}, claims, 'AAAA')),
    tokens('well-signed-by-another', (number) => token({alg: 'ES256', kid: `key-${number}`})),
    tokens('no-algorithm', () => token({alg: 'none'}, claims, '')),
    tokens('algorithm-of-secrets', () => token({alg: 'HS256'}, claims, 'AAAA')),
    tokens('encrypted', () => `${encode({alg: 'dir', enc: 'A256GCM'})}..${encode('x'.repeat(2000))}.AAAA.AAAA`),
    tokens('inflating', () => `${encode({alg: 'dir', enc: 'A256GCM', zip: 'DEF'})}..${randomBytes(2000).toString('base64url')}.AAAA.AAAA`),
    tokens('critical-headers', () => token({alg: 'ES256', crit: Array.from({length: 1000}, (_, number) => `c${number}`)}, claims, 'AAAA')),
    tokens('embedded-keys', () =>
      token(
        {alg: 'ES256', jwk: {kty: 'EC', crv: 'P-256', x: 'A', y: 'A'}, jku: 'https://127.0.0.1:1/keys', x5u: 'https://127.0.0.1:1/x'},
        claims,
        'AAAA',
      ),
    ),
    tokens(
      'large-claims',
      () => token({alg: 'ES256'}, {...claims, groups: Array.from({length: 3000}, (_, number) => `group-${number}`)}, 'AAAA'),
      [401, 431],
    ),
    tokens(
      'deep-claims',
      () => `${encode({alg: 'ES256'})}.${encode(`{"iss":"${issuer}","a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)}.AAAA`,
      [401, 431],
    ),
    tokens('many-dots', () => '.'.repeat(30_000), [401, 431]),
    tokens('not-base64', () => `${'!'.repeat(20_000)}.${'!'.repeat(20_000)}.!`, [401, 431]),
    tokens('bootstrap', (number) => `abcdef.${String(number).padStart(16, '0')}`),
    {
      name: 'other-schemes',
      outcomes: [403, 401, 200],
      run: (attacker) =>
        attacker.flood({
          user: 'anonymous',
          connections: 16,
          requests: 2_000,
          request: (_, number) =>
            requestText('GET', '/api/v1', {
              headers: [`Authorization: ${['Basic', 'Negotiate', 'Digest', 'Bearer'][number % 4]} ${'QUJD'.repeat(500)}`],
            }),
        }),
    },
    {
      name: 'impersonation',
      outcomes: [200, 403],
      run: (attacker) =>
        attacker.flood({
          user: 'builder',
          connections: 8,
          requests: 2_000,
          request: (connection, number) =>
            requestText('GET', attacker.path('configmaps'), {
              headers: [
                `Impersonate-User: user-${connection}-${number}`,
                ...Array.from({length: 50}, (_, group) => `Impersonate-Group: group-${number}-${group}`),
              ],
            }),
        }),
    },
    {
      name: 'impersonation-refused',
      outcomes: [403],
      run: (attacker) =>
        attacker.flood({
          user: 'tenant',
          connections: 8,
          requests: 2_000,
          request: (_, number) =>
            requestText('GET', attacker.path('configmaps'), {
              headers: [`Impersonate-User: user-${number}`, 'Impersonate-Group: system:masters'],
            }),
        }),
    },
    posts(
      'token-reviews',
      () => tokenReviews,
      () => JSON.stringify({spec: {token: randomBytes(30).toString('base64url')}}),
      [201],
    ),
    posts(
      'token-reviews-well-signed',
      () => tokenReviews,
      (number) => JSON.stringify({spec: {token: token({alg: 'ES256', kid: `key-${number}`})}}),
      [201],
    ),
    bodyAttack({
      name: 'token-review-huge',
      path: () => tokenReviews,
      user: 'builder',
      body: () => JSON.stringify({spec: {token: 'x'.repeat(2_900_000), audiences: ['a']}}),
      outcomes: [201, 400, 413, 422],
    }),
    bodyAttack({
      name: 'token-review-audiences',
      path: () => tokenReviews,
      user: 'builder',
      body: () => `{"spec":{"token":"x","audiences":[${fillWith((n) => `"a${n}"`)}]}}`,
      outcomes: [201, 400, 413, 422],
    }),
    posts(
      'access-reviews',
      () => `${authorization}/subjectaccessreviews`,
      (number) => JSON.stringify({spec: {user: `user-${number}`, resourceAttributes: {verb: 'get', resource: 'pods', namespace: 'x'}}}),
      [201],
    ),
    bodyAttack({
      name: 'access-review-extra',
      path: () => `${authorization}/subjectaccessreviews`,
      user: 'builder',
      body: () =>
        `{"spec":{"user":"jo","extra":{${fillWith((n) => `"k${n}":["v"]`)}},"resourceAttributes":{"verb":"get","resource":"pods"}}}`,
      outcomes: [201, 400, 413, 422],
    }),
    bodyAttack({
      name: 'access-review-groups',
      path: () => `${authorization}/subjectaccessreviews`,
      user: 'builder',
      body: () => `{"spec":{"user":"jo","groups":[${fillWith((n) => `"g${n}"`)}],"resourceAttributes":{"verb":"get","resource":"pods"}}}`,
      outcomes: [201, 400, 413, 422],
    }),
    bodyAttack({
      name: 'local-access-review-extra',
      path: (attacker) => attacker.path('localsubjectaccessreviews', 'authorization.orch/v1'),
      body: (attacker) =>
        `{"spec":{"user":"jo","extra":{${fillWith((n) => `"k${n}":["v"]`)}},"resourceAttributes":{"namespace":"${attacker.namespace}","verb":"get","resource":"pods"}}}`,
      outcomes: [201, 400, 403, 413, 422],
    }),
    bodyAttack({
      name: 'own-access-review',
      path: () => `${authorization}/selfsubjectaccessreviews`,
      body: () =>
        `{"spec":{"resourceAttributes":{"verb":"${'v'.repeat(1_000_000)}","resource":"${'r'.repeat(1_000_000)}","name":"${'n'.repeat(800_000)}"}}}`,
      outcomes: [201, 400, 413, 422],
    }),
    posts(
      'own-rules-reviews',
      () => `${authorization}/selfsubjectrulesreviews`,
      (number) => JSON.stringify({spec: {namespace: `n${number}`}}),
      [201],
    ),
    {
      name: 'token-requests',
      outcomes: [201],
      prepare: (attacker) => attacker.make(attacker.path('serviceaccounts'), {metadata: {name: 'robot'}}),
      run: (attacker) =>
        attacker.flood({
          connections: 8,
          requests: 2_000,
          request: () =>
            requestText('POST', `${attacker.path('serviceaccounts')}/robot/token`, {body: '{"spec":{"expirationSeconds":3600}}'}),
        }),
    },
    bodyAttack({
      name: 'token-request-audiences',
      prepare: (attacker) => attacker.make(attacker.path('serviceaccounts'), {metadata: {name: 'robot'}}),
      path: (attacker) => `${attacker.path('serviceaccounts')}/robot/token`,
      body: () => `{"spec":{"audiences":[${fillWith((n) => `"a${n}"`)}]}}`,
      outcomes: [201, 400, 413, 422],
    }),
    bodyAttack({
      name: 'csr-huge',
      user: 'builder',
      path: () => csrs,
      body: () => csr(pem(Buffer.alloc(1_500_000, 0x30))),
      outcomes: [400, 413, 422],
    }),
    bodyAttack({
      name: 'csr-deep',
      user: 'builder',
      path: () => csrs,
      body: () => csr(pem(Buffer.concat([Buffer.alloc(500_000, Buffer.from('3080', 'hex'))]))),
      outcomes: [400, 413, 422],
    }),
    bodyAttack({
      name: 'csr-many-blocks',
      user: 'builder',
      path: () => csrs,
      body: () =>
        csr(
          Buffer.from('-----BEGIN CERTIFICATE REQUEST-----\nMA==\n-----END CERTIFICATE REQUEST-----\n'.repeat(20_000)).toString('base64'),
        ),
      outcomes: [400, 413, 422],
    }),
    bodyAttack({
      name: 'csr-nearly-pem',
      user: 'builder',
      path: () => csrs,
      body: () => csr(Buffer.from('-----BEGIN '.repeat(150_000)).toString('base64')),
      outcomes: [400, 413, 422],
    }),
    bodyAttack({
      name: 'csr-usages',
      user: 'builder',
      path: () => csrs,
      body: () => csr('AAAA', {usages: Array.from({length: 300_000}, () => 'x'), extra: {}}),
      outcomes: [400, 413, 422],
    }),
    posts(
      'csr-flood',
      () => `${csrs}?dryRun=All`,
      (number) => csr(pem(Buffer.from(`30 ${number}`))),
      [422, 400],
    ),
  ],
  {storeless: true},
);
