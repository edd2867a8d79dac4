import {namespaceFinalizer, type NamingProfile} from '../../../sdk/index.js';

/** What the flags of service account tokens say. */
export interface TokenSettings {
  /** `iss` of the tokens. */
  readonly issuer: string;
  /** Audiences of tokens for this server itself: who asks for none gets these. At least one. */
  readonly audiences: readonly string[];
  /** Where the discovery document says that the keys are; at this server where nothing is given. */
  readonly jwksUri: string | undefined;
  /** Longest lifetime of a token, in seconds. */
  readonly maximumSeconds: number;
  readonly keyFiles: readonly string[];
  /** File of the key that signs; the server's own where nothing is given. */
  readonly signingKeyFile: string | undefined;
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
  };
}
