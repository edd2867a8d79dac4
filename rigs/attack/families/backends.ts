import {writeFileSync} from 'node:fs';
import type {ServerResponse} from 'node:http';
import {join} from 'node:path';
import {issuedTokens, issuerKeys, issuerUrl, issueToken} from '../../../test/helpers/fixed-issuer.js';
import {answer, webhookService} from '../../../test/helpers/webhook-service.js';
import {family, ofToday, type Around, type Attack} from '../attack.js';
import {requestText} from '../client/request-text.js';
import {fillWith} from './body-attack.js';

const write = (folder: string, name: string, value: unknown) => {
  writeFileSync(join(folder, name), JSON.stringify(value));
  return join(folder, name);
};

const pour = (response: ServerResponse) => {
  const part = Buffer.alloc(64 * 1024, '"');
  const more = () => {
    if (!response.destroyed) response.write(part, () => setImmediate(more));
  };
  more();
};

/** An audit webhook, and a policy that records everything with its bodies. */
const audited = (name: string, treat: (response: ServerResponse) => void, flags: readonly string[] = []): Around => ({
  name: `audit-${name}`,
  async start(t, folder) {
    const backend = await webhookService(t, (_body, response, request) => {
      backend.requests.length = 0;
      request.on('error', () => undefined);
      treat(response);
    });
    const cluster = {server: backend.url, 'certificate-authority-data': Buffer.from(backend.ca).toString('base64')};
    return [
      '--audit-policy-file',
      write(folder, 'policy.yaml', {apiVersion: 'audit.orch/v1', kind: 'Policy', rules: [{level: 'RequestResponse'}]}),
      '--audit-webhook-config-file',
      write(folder, 'webhook.yaml', {
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{name: 'c', cluster}],
        users: [{name: 'u', user: {}}],
        contexts: [{name: 'x', context: {cluster: 'c', user: 'u'}}],
        'current-context': 'x',
      }),
      ...flags,
    ];
  },
});

/** Objects of 100 KB, written as fast as the server lets. */
const writes = (name: string, around: Around): Attack => ({
  name,
  outcomes: [200, 201],
  around,
  seconds: 4,
  leavesMegabytes: 60,
  logs: ['audit events are lost', 'audit events could not be delivered and are lost'],
  prepare: (attacker) => attacker.make(attacker.path('configmaps'), {metadata: {name: 'one'}}),
  run: (attacker) =>
    attacker.flood({
      user: 'builder',
      connections: 20,
      request: (connection, number) =>
        requestText('PUT', `${attacker.path('configmaps')}/one`, {
          body: `{"metadata":{"name":"one"},"data":{"a":"${connection}-${number}-${'x'.repeat(100_000)}"}}`,
        }),
    }),
});

type Page = (response: ServerResponse, path: string, url: string) => void;
const document: Page = (response, path, url) =>
  answer(response, path === '/keys' ? issuerKeys : {issuer: issuerUrl, jwks_uri: `${url}/keys`});

/** A server that takes the tokens of an issuer which treats it like this. */
const issued = (name: string, page: Page): Around => ({
  name: `issuer-${name}`,
  async start(t, folder) {
    const issuer = await webhookService(t, (_body, response, {url}) => {
      issuer.requests.length = 0;
      page(response, url!, issuer.url);
    });
    const entry = {
      issuer: {url: issuerUrl, discoveryURL: `${issuer.url}/document`, audiences: ['orch'], certificateAuthority: issuer.ca},
      claimMappings: {username: {expression: '"issued:" + claims.sub'}, groups: {expression: 'claims.?groups.orValue([])'}},
      userValidationRules: [{expression: 'user.groups.all(group, !group.startsWith("system:"))', message: 'no system groups'}],
    };
    return [
      ...ofToday,
      '--authentication-config',
      write(folder, 'authentication.yaml', {
        apiVersion: 'apiserver.config.orch/v1beta1',
        kind: 'AuthenticationConfiguration',
        jwt: [entry],
      }),
    ];
  },
});

/** Requests without a certificate, each with one of these tokens. */
const withTokens = (name: string, around: Around, tokens: () => readonly string[], outcomes: Attack['outcomes'] = [401, 403]): Attack => ({
  name,
  outcomes,
  around,
  storeless: true,
  seconds: 3,
  async run(attacker) {
    const requests = tokens().map((token) => requestText('GET', '/api/v1/secrets', {headers: [`Authorization: Bearer ${token}`]}));
    await attacker.flood({
      user: 'anonymous',
      connections: 100,
      request: (connection, number) => requests[(connection * 7 + number) % requests.length]!,
    });
  },
});

const claims = {iss: issuerUrl, aud: 'orch', sub: 'jo', exp: 4_000_000_000, iat: 1_000_000_000};
const severalKeyIds = () => Array.from({length: 500}, (_, number) => issueToken({...claims, jti: number}, {kid: `k${number}`}));
const many = (count: number) => Array.from({length: count}, (_, number) => `g${number}`);

/** What others on which a server relies may do to it: backends of the audit log, issuers of tokens. */
export const backends = family('backends', [
  writes(
    'audit-never-answers',
    audited('silent', () => undefined),
  ),
  writes('audit-answers-without-end', audited('endless', pour)),
  writes(
    'audit-fails',
    audited('failing', (response) => answer(response, {}, 500)),
  ),
  writes(
    'audit-cuts',
    audited('cutting', (response) => response.destroy()),
  ),
  withTokens(
    'issuer-never-answers',
    issued('silent', () => undefined),
    issuedTokens,
    [401, 'held', 429, 503, 403],
  ),
  withTokens(
    'issuer-answers-without-end',
    issued('endless', (response) => pour(response)),
    issuedTokens,
  ),
  withTokens(
    'issuer-of-100000-keys',
    issued('keys', (response, path, url) =>
      path === '/keys'
        ? answer(response, {keys: Array.from({length: 100_000}, (_, number) => ({...issuerKeys.keys[0]!, kid: `k${number}`}))})
        : document(response, path, url),
    ),
    severalKeyIds,
  ),
  withTokens(
    'issuer-of-huge-keys',
    issued('huge', (response, path, url) =>
      path === '/keys'
        ? answer(response, {keys: [{kty: 'RSA', kid: 'k1', e: 'AQAB', n: 'x'.repeat(10_000_000)}]})
        : document(response, path, url),
    ),
    severalKeyIds,
  ),
  withTokens('issuer-unknown-keys', issued('right', document), severalKeyIds),
  withTokens('issuer-odd-claims', issued('right', document), issuedTokens),
  withTokens(
    'issuer-many-groups',
    issued('right', document),
    () => many(20).map((jti) => issueToken({...claims, jti, groups: many(5_000)})),
    [403, 401],
  ),
  withTokens('issuer-long-tokens', issued('right', document), () => [
    `${'a'.repeat(20_000)}.${'b'.repeat(20_000)}.${'c'.repeat(20_000)}`,
    '.'.repeat(60_000),
    `${Buffer.from('{"alg":"ES256","kid":"one"}').toString('base64url')}.${Buffer.from(`{${fillWith((number) => `"a${number}":{}`, ',', 40_000)}}`).toString('base64url')}.x`,
    `${Buffer.from(`${'['.repeat(40_000)}`).toString('base64url')}.e30.x`,
  ]),
]);
