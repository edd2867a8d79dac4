import type {Expression, ExpressionScope} from '../../../sdk/index.js';

/** A value of a user: a claim as it is, or what an expression about the claims evaluates to. */
export type ClaimMapping = {readonly claim: string; readonly prefix: string} | {readonly expression: Expression};

/** An expression that must be true of the claims, or of the user. */
export interface ValidationRule {
  readonly expression: Expression;
  /** Why a token is refused where it is false; may be empty. */
  readonly message: string;
}

/** What expressions can refer to: `claims`, and `user` with the members of `UserInfo`. */
export interface TokenScopes {
  readonly claims: ExpressionScope;
  readonly user: ExpressionScope;
}

/** How the tokens of one issuer are verified, and what user they stand for. */
export interface JwtSettings {
  readonly issuer: string;
  /** URL of the discovery document, if it is not below the issuer's. */
  readonly discoveryUrl?: string | undefined;
  /** A token must be for one of these. */
  readonly audiences: readonly string[];
  /** PEM certificates of the CAs for the issuer's certificate; the system's CAs by default. */
  readonly ca: readonly string[] | undefined;
  readonly algorithms: readonly string[];
  /** How often the issuer's keys are fetched. A withdrawn key is trusted no longer than that, as long as the issuer can be reached. */
  readonly keyRefreshMillis: number;
  readonly username: ClaimMapping;
  readonly groups: ClaimMapping | undefined;
  readonly uid: ClaimMapping | undefined;
  /** Key of the extra value with the id of the token (`jti`); undefined for none. */
  readonly idKey?: string | undefined;
  readonly extra: readonly {readonly key: string; readonly expression: Expression}[];
  readonly requiredClaims: readonly (readonly [claim: string, value: string])[];
  readonly claimRules: readonly ValidationRule[];
  readonly userRules: readonly ValidationRule[];
  /** Undefined if there are no expressions. */
  readonly scopes: TokenScopes | undefined;
}
