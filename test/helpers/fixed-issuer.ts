import {createECDH, createHash, createPrivateKey, createPublicKey, sign} from 'node:crypto';

/** Who signs the tokens of the fuzz; a discovery document elsewhere leads to its keys. */
export const issuerUrl = 'https://issuer.example';

/** Always the same one, so that a token in a reproduction is valid on another server too. */
function fixedKey() {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(createHash('sha256').update('fuzz').digest());
  const point = ecdh.getPublicKey();
  const [d, x, y] = [ecdh.getPrivateKey(), point.subarray(1, 33), point.subarray(33)].map((bytes) => bytes.toString('base64url'));
  return createPrivateKey({format: 'jwk', key: {kty: 'EC', crv: 'P-256', d: d!, x: x!, y: y!}});
}

const key = fixedKey();

/** What the issuer publishes. */
export const issuerKeys = {keys: [{...createPublicKey(key).export({format: 'jwk'}), kid: 'one', alg: 'ES256', use: 'sig'}]};

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token of the issuer. */
export function issueToken(claims: object, header: object = {}): string {
  const text = `${part({alg: 'ES256', kid: 'one', typ: 'JWT', ...header})}.${part(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), {key, dsaEncoding: 'ieee-p1363'}).toString('base64url')}`;
}

const deep = (depth: number): unknown => Array.from({length: depth}).reduce<unknown>((inner) => ({a: inner}), 'end');

/** Tokens whose signature is right, and whose claims are what an issuer should not say. */
export function issuedTokens(): string[] {
  const right = {
    iss: issuerUrl,
    aud: 'orch',
    sub: 'jo',
    exp: 4_000_000_000,
    iat: 1_000_000_000,
    groups: ['a', 'b'],
    email: 'jo@example.com',
  };
  const odd: object[] = [
    {},
    {sub: 1},
    {sub: ''},
    {sub: null},
    {sub: 'system:masters'},
    {sub: 'x'.repeat(5000)},
    {groups: 'a'},
    {groups: [1, null, {}]},
    {groups: Array.from({length: 3000}, (_, number) => `g${number}`)},
    {groups: {a: 'b'}},
    {aud: ['orch', 'other']},
    {aud: []},
    {aud: 7},
    {exp: 'never'},
    {exp: 1e300},
    {exp: -1},
    {nbf: 4_000_000_000},
    {iat: '1'},
    {iss: 'https://other.example'},
    {nested: deep(50)},
    {nested: deep(2000)},
    {__proto__: {}, constructor: {prototype: 1}},
    {email_verified: 'yes'},
    {_claim_names: {groups: 'src'}, _claim_sources: {src: {endpoint: 'https://127.0.0.1:1/claims', access_token: 'x'}}},
    {_claim_names: {groups: 'none'}, _claim_sources: {}},
    {_claim_names: [], _claim_sources: 'x'},
    {extra: '\ud800'},
  ];
  return [
    ...odd.map((claims) => issueToken({...right, ...claims})),
    issueToken(right, {alg: 'none'}),
    issueToken(right, {kid: 'two'}),
    issueToken(right, {crit: ['b64'], b64: false}),
    issueToken(right, {jku: 'https://127.0.0.1:1/keys', x5u: 'https://127.0.0.1:1/x'}),
    `${part({alg: 'none'})}.${part(right)}.`,
  ];
}
