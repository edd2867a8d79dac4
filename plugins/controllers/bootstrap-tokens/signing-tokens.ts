import {tokenExpiry, tokenSecretName, tokenValue} from '../../families/bootstrap-tokens/token-secret.js';
import type {Secret as TokenSecret} from '../../../sdk/types/unchecked/core/v1.js';

interface SigningToken {
  readonly secret: string;
  /** Milliseconds since 1970, or `Infinity`. */
  readonly expiry: number;
}

/** The signing tokens by id. */
export class SigningTokens {
  readonly #tokens = new Map<string, SigningToken>();

  /** Processes a state of a token's Secret. Returns when the token expires, if it signs. */
  observe(secret: TokenSecret): number | undefined {
    const id = tokenValue(secret, 'token-id');
    const key = tokenValue(secret, 'token-secret');
    const signs = id !== '' && key !== '' && tokenValue(secret, 'usage-bootstrap-signing') === 'true' && !secret.metadata.deletionTimestamp;
    if (!signs || secret.metadata.name !== tokenSecretName(id)) {
      this.remove(secret);
      return undefined;
    }
    const expiry = tokenExpiry(secret);
    this.#tokens.set(secret.metadata.name, {secret: `${id}.${key}`, expiry});
    return expiry;
  }

  remove({metadata}: Pick<TokenSecret, 'metadata'>): void {
    this.#tokens.delete(metadata.name!);
  }

  /** Tokens (`ID.SECRET`) that have not expired. */
  valid(now: number): string[] {
    return [...this.#tokens.values()].filter(({expiry}) => expiry > now).map(({secret}) => secret);
  }
}
