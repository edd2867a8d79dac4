import type {JWTPayload} from 'jose';
import type {ExpressionBudget, ExpressionValues, JsonObject, UserInfo} from '../../../sdk/index.js';
import {tokenCredentialId} from '../../families/authentication/credential-ids.js';
import type {ClaimMapping, JwtSettings, ValidationRule} from './jwt-settings.js';

/** Steps that all expressions about one token may take. The issuer decides what is in its tokens, and evaluations block the event loop. */
const steps = 1_000_000;

/**
 * The user that a verified token stands for.
 *
 * @throws Error with the reason if the claims are not as the settings want them
 * @throws ExpressionError if an expression has no result
 */
export function userOf(claims: JWTPayload, settings: JwtSettings): UserInfo {
  const reader = new TokenReader(claims, settings);
  const uid = reader.uid();
  const extra = reader.extra();
  const user = {
    username: reader.username(),
    groups: reader.groups(),
    ...(uid === '' ? {} : {uid}),
    ...(Object.keys(extra).length > 0 ? {extra} : {}),
  };
  reader.check(user);
  return user;
}

class TokenReader {
  readonly #budget: ExpressionBudget = {left: steps};
  readonly #claims: JWTPayload;
  readonly #settings: JwtSettings;
  #values: ExpressionValues | undefined;

  constructor(claims: JWTPayload, settings: JwtSettings) {
    this.#claims = claims;
    this.#settings = settings;
  }

  username(): string {
    const {username} = this.#settings;
    const name = this.#mapped(username);
    const place = 'claim' in username ? `claim ${username.claim}` : `expression ${username.expression.text}`;
    if (typeof name !== 'string' || name === '') throw new Error(`the token has no user name in the ${place}`);
    if ('expression' in username) return name;
    // An unconfirmed address may be somebody else's.
    if (username.claim === 'email' && this.#has('email_verified') && this.#claims['email_verified'] !== true)
      throw new Error('the email address is not verified');
    return username.prefix + name;
  }

  groups(): string[] {
    const {groups} = this.#settings;
    if (!groups) return [];
    if ('expression' in groups) return textsOf(this.#mapped(groups), `the expression ${groups.expression.text}`);
    if (!this.#has(groups.claim)) return [];
    // A single group given as a string counts as a list of one.
    const value = this.#mapped(groups);
    const list = typeof value === 'string' ? [value] : value;
    if (!Array.isArray(list) || !list.every((group): group is string => typeof group === 'string'))
      throw new Error(`the claim ${groups.claim} is not a list of groups`);
    return list.map((group) => groups.prefix + group);
  }

  uid(): string {
    const {uid} = this.#settings;
    if (!uid) return '';
    const value = this.#mapped(uid);
    if (typeof value === 'string') return value;
    throw new Error(`the token has no uid in the ${'claim' in uid ? `claim ${uid.claim}` : `expression ${uid.expression.text}`}`);
  }

  extra(): Record<string, string[]> {
    const entries = this.#settings.extra.flatMap(({key, expression}) => {
      const values = textsOf(this.#mapped({expression}), `the expression ${expression.text}`);
      return values.length > 0 ? [[key, values] as const] : [];
    });
    const {idKey} = this.#settings;
    const id = idKey === undefined || !this.#has('jti') ? undefined : tokenCredentialId(this.#claims.jti);
    return Object.fromEntries(id === undefined ? entries : [...entries, [idKey!, [id]]]);
  }

  check(user: UserInfo): void {
    const {requiredClaims, claimRules, userRules, scopes} = this.#settings;
    for (const [name, value] of requiredClaims) {
      if (!this.#has(name) || this.#claims[name] !== value) throw new Error(`the token has not the claim ${name}=${value}`);
    }
    if (claimRules.length > 0) this.#obey(claimRules, this.#claimValues());
    if (userRules.length === 0) return;
    const {username, uid = '', groups, extra = {}} = user;
    this.#obey(userRules, scopes!.user.bind({user: {username, uid, groups, extra} as unknown as JsonObject}));
  }

  #obey(rules: readonly ValidationRule[], values: ExpressionValues): void {
    for (const {expression, message} of rules) {
      if (expression.evaluate(values, this.#budget) !== true)
        throw new Error(`validation expression '${expression.text}' failed${message === '' ? '' : `: ${message}`}`);
    }
  }

  #mapped(mapping: ClaimMapping | Pick<Extract<ClaimMapping, {expression: unknown}>, 'expression'>): unknown {
    if ('expression' in mapping) return mapping.expression.evaluate(this.#claimValues(), this.#budget);
    return this.#has(mapping.claim) ? this.#claims[mapping.claim] : undefined;
  }

  #claimValues(): ExpressionValues {
    return (this.#values ??= this.#settings.scopes!.claims.bind({claims: this.#claims as JsonObject}));
  }

  #has(claim: string): boolean {
    return Object.hasOwn(this.#claims, claim);
  }
}

/** Empty texts, empty lists and null are no values. */
function textsOf(value: unknown, what: string): string[] {
  if (value === null) return [];
  const list: unknown = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(list) || !list.every((item): item is string => typeof item === 'string'))
    throw new Error(`${what} must return a string or a list of strings`);
  return list.filter((item) => item !== '');
}
