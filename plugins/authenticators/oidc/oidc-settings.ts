import {readFileSync} from 'node:fs';
import {X509Certificate} from 'node:crypto';

/** The settings of the OpenID Connect flags. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly usernameClaim: string;
  readonly usernamePrefix: string;
  readonly groupsClaim: string | undefined;
  readonly groupsPrefix: string;
  readonly requiredClaims: readonly (readonly [claim: string, value: string])[];
  /** PEM certificates of the CAs for the provider's certificate; the system's CAs by default. */
  readonly ca: readonly string[] | undefined;
  readonly algorithms: readonly string[];
  /** How often the provider's keys are fetched. A withdrawn key is trusted no longer than that, as long as the provider can be reached. */
  readonly keyRefreshMillis: number;
}

/**
 * Reads the settings; undefined if OpenID Connect is not configured.
 *
 * @throws Error with a one-sentence message: issuer or client are missing, the issuer is not an https URL, the CA file is unusable
 */
export function oidcSettings(config: Readonly<Record<string, unknown>>): OidcSettings | undefined {
  const text = (name: string) => config[name] as string | undefined;
  const [issuer, clientId] = [text('issuerUrl'), text('clientId')];
  if (issuer === undefined && clientId === undefined) return undefined;
  if (issuer === undefined || clientId === undefined) throw new Error('--oidc-issuer-url and --oidc-client-id must be given together');
  if (!URL.canParse(issuer) || new URL(issuer).protocol !== 'https:')
    throw new Error(`--oidc-issuer-url must be an https URL, not ${JSON.stringify(issuer)}`);
  const usernameClaim = text('usernameClaim') ?? 'sub';
  // An empty prefix counts as not set: user names must not accidentally collide with those of other methods.
  const prefix = text('usernamePrefix') || (usernameClaim === 'email' ? '' : `${issuer}#`);
  return {
    issuer,
    clientId,
    usernameClaim,
    usernamePrefix: prefix === '-' ? '' : prefix,
    groupsClaim: text('groupsClaim') || undefined,
    groupsPrefix: text('groupsPrefix') ?? '',
    requiredClaims: (config['requiredClaims'] as readonly string[]).map(requiredClaim),
    ca: caCertificates(text('caFile')),
    algorithms: config['signingAlgorithms'] as readonly string[],
    keyRefreshMillis: (config['keyRefreshSeconds'] as number) * 1000,
  };
}

function requiredClaim(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new Error(`--oidc-required-claim must have the form key=value, not ${JSON.stringify(text)}`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Only CA certificates can sign others. TLS libraries differ on whether other certificates in the list can vouch for themselves. */
function caCertificates(file: string | undefined): string[] | undefined {
  if (file === undefined) return undefined;
  let pem: string;
  try {
    pem = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`--oidc-ca-file: ${(error as Error).message}`, {cause: error});
  }
  const all = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const authorities = all.filter((one) => new X509Certificate(one).ca);
  if (authorities.length === 0) throw new Error(`--oidc-ca-file: ${file} contains no certificate with the CA flag`);
  return authorities;
}
