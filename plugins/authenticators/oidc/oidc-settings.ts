import {readFileSync} from 'node:fs';
import {certificateAuthorities} from './certificate-authorities.js';
import type {JwtSettings} from './jwt-settings.js';

/** Settings that say something about tokens, by the flag that sets them. */
const flags: Readonly<Record<string, string>> = {
  issuerUrl: '--oidc-issuer-url',
  clientId: '--oidc-client-id',
  usernameClaim: '--oidc-username-claim',
  usernamePrefix: '--oidc-username-prefix',
  groupsClaim: '--oidc-groups-claim',
  groupsPrefix: '--oidc-groups-prefix',
  requiredClaims: '--oidc-required-claim',
  caFile: '--oidc-ca-file',
  signingAlgorithms: '--oidc-signing-algs',
};

/** Those of the flags for a single issuer that are given. */
export function givenOidcFlags(config: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(flags).flatMap(([name, flag]) => (config[name] === undefined ? [] : [flag]));
}

/**
 * Reads the flags for a single issuer; undefined if they are not given.
 *
 * @throws Error with a one-sentence message: issuer or client are missing, the issuer is not an https URL, the CA file is unusable
 */
export function oidcSettings(config: Readonly<Record<string, unknown>>): JwtSettings | undefined {
  const text = (name: string) => config[name] as string | undefined;
  const [issuer, clientId] = [text('issuerUrl'), text('clientId')];
  if (issuer === undefined && clientId === undefined) return undefined;
  if (issuer === undefined || clientId === undefined) throw new Error('--oidc-issuer-url and --oidc-client-id must be given together');
  if (!URL.canParse(issuer) || new URL(issuer).protocol !== 'https:')
    throw new Error(`--oidc-issuer-url must be an https URL, not ${JSON.stringify(issuer)}`);
  const usernameClaim = text('usernameClaim') ?? 'sub';
  // An empty prefix counts as not set: user names must not accidentally collide with those of other methods.
  const prefix = text('usernamePrefix') || (usernameClaim === 'email' ? '' : `${issuer}#`);
  const groupsClaim = text('groupsClaim') || undefined;
  return {
    issuer,
    audiences: [clientId],
    username: {claim: usernameClaim, prefix: prefix === '-' ? '' : prefix},
    groups: groupsClaim === undefined ? undefined : {claim: groupsClaim, prefix: text('groupsPrefix') ?? ''},
    uid: undefined,
    extra: [],
    requiredClaims: ((config['requiredClaims'] ?? []) as readonly string[]).map(requiredClaim),
    claimRules: [],
    userRules: [],
    scopes: undefined,
    ca: caCertificates(text('caFile')),
    algorithms: (config['signingAlgorithms'] ?? ['RS256']) as readonly string[],
    keyRefreshMillis: (config['keyRefreshSeconds'] as number) * 1000,
  };
}

function requiredClaim(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new Error(`--oidc-required-claim must have the form key=value, not ${JSON.stringify(text)}`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function caCertificates(file: string | undefined): string[] | undefined {
  if (file === undefined) return undefined;
  let pem: string;
  try {
    pem = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`--oidc-ca-file: ${(error as Error).message}`, {cause: error});
  }
  const authorities = certificateAuthorities(pem);
  if (authorities.length === 0) throw new Error(`--oidc-ca-file: ${file} contains no certificate with the CA flag`);
  return authorities;
}
