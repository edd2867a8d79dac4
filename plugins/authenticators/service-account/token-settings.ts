import type {NamingProfile} from '../../../sdk/index.js';
import {accountIssuers} from '../../families/authentication/account-issuers.js';

/** The settings of the service account token flags. */
export interface TokenSettings {
  /** `iss` of new tokens. */
  readonly issuer: string;
  /** Every `iss` that is accepted. */
  readonly issuers: ReadonlySet<string>;
  /** Audiences of tokens for this server itself, which are the default. At least one. */
  readonly audiences: readonly string[];
  /** The URL of the keys in the discovery document; by default at this server. */
  readonly jwksUri: string | undefined;
  /** Maximum lifetime of a token, in seconds. */
  readonly maximumSeconds: number;
  readonly keyFiles: readonly string[];
  /** File with the signing key; by default the server's own key. */
  readonly signingKeyFile: string | undefined;
  /** File of the CAs that Secrets with tokens get; the server's own where nothing is given. */
  readonly rootCaFile: string | undefined;
}

/** @throws Error with a one-sentence message if an issuer or the address of the keys cannot be used */
export function tokenSettings(config: Readonly<Record<string, unknown>>, naming: NamingProfile): TokenSettings {
  const given = config['issuers'] as readonly string[];
  const issuers = accountIssuers(given, naming);
  for (const issuer of issuers) {
    if (issuer.includes(':') && !URL.canParse(issuer))
      throw new Error(`--service-account-issuer contains a colon and must therefore be a URL, not ${JSON.stringify(issuer)}`);
  }
  const audiences = config['apiAudiences'] as readonly string[];
  const jwksUri = config['jwksUri'] as string | undefined;
  if (jwksUri !== undefined && !isHttps(jwksUri))
    throw new Error(`--service-account-jwks-uri must be an https URL, not ${JSON.stringify(jwksUri)}`);
  return {
    issuer: issuers[0]!,
    issuers: new Set(issuers),
    audiences: [...new Set(audiences.length > 0 ? audiences : issuers)],
    jwksUri,
    maximumSeconds: config['maxTokenSeconds'] as number,
    keyFiles: config['keyFiles'] as readonly string[],
    signingKeyFile: config['signingKeyFile'] as string | undefined,
    rootCaFile: config['rootCaFile'] as string | undefined,
  };
}

function isHttps(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === 'https:';
}
