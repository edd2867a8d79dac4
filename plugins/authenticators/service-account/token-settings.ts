import {namespaceFinalizer, type NamingProfile} from '../../../sdk/index.js';

/** The settings of the service account token flags. */
export interface TokenSettings {
  /** `iss` of the tokens. */
  readonly issuer: string;
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

export function tokenSettings(config: Readonly<Record<string, unknown>>, naming: NamingProfile): TokenSettings {
  const issuer = (config['issuer'] as string | undefined) ?? `https://${namespaceFinalizer(naming)}.default.svc.cluster.local`;
  const audiences = config['apiAudiences'] as readonly string[];
  return {
    issuer,
    audiences: audiences.length > 0 ? audiences : [issuer],
    jwksUri: config['jwksUri'] as string | undefined,
    maximumSeconds: config['maxTokenSeconds'] as number,
    keyFiles: config['keyFiles'] as readonly string[],
    signingKeyFile: config['signingKeyFile'] as string | undefined,
    rootCaFile: config['rootCaFile'] as string | undefined,
  };
}
