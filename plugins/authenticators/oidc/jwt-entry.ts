import {
  dnsSubdomainFaults,
  duplicate,
  ExpressionError,
  invalid,
  required,
  tooMany,
  type Expression,
  type FieldError,
  type FieldPath,
  type NamingProfile,
} from '../../../sdk/index.js';
import {certificateAuthorities} from './certificate-authorities.js';
import type {ClaimFields, JwtFields} from '../../families/authentication/configuration-fields.js';
import {issuerFaults, type IssuerSurroundings} from './issuer-faults.js';
import type {ClaimMapping, JwtSettings, TokenScopes, ValidationRule} from './jwt-settings.js';

/** Those that Kubernetes accepts where a file names the issuers. */
const algorithms = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'];
/** Every rule and mapping is evaluated for every token that is not remembered. */
const mostRules = 64;

/** Reads one entry of `jwt`, and collects all that is wrong with it, in Kubernetes' words. */
export class JwtEntry {
  readonly faults: FieldError[] = [];
  readonly #scopes: TokenScopes;
  readonly #naming: NamingProfile;
  readonly #surroundings: IssuerSurroundings;

  constructor(scopes: TokenScopes, naming: NamingProfile, surroundings: IssuerSurroundings) {
    this.#scopes = scopes;
    this.#naming = naming;
    this.#surroundings = surroundings;
  }

  /** The settings; they can be used only if there are no faults. */
  read(fields: JwtFields, path: FieldPath, keyRefreshMillis: number): JwtSettings {
    const issuer = fields.issuer ?? {};
    const mappings = fields.claimMappings ?? {};
    this.faults.push(...issuerFaults(issuer, path.child('issuer'), this.#surroundings));
    const rules = this.#claimRules(fields, path.child('claimValidationRules'));
    const at = path.child('claimMappings');
    const name = mappings.username ?? {};
    if (!name.claim && !name.expression) this.faults.push(required(at.child('username'), 'claim or expression is required'));
    const username = this.#mapping(name, at.child('username'));
    const extra = this.#extra(mappings.extra ?? [], at.child('extra'));
    const settings = {
      issuer: issuer.url ?? '',
      discoveryUrl: issuer.discoveryURL || undefined,
      audiences: issuer.audiences ?? [],
      ca: issuer.certificateAuthority && this.faults.length === 0 ? certificateAuthorities(issuer.certificateAuthority) : undefined,
      algorithms,
      keyRefreshMillis,
      username: username ?? {claim: '', prefix: ''},
      groups: this.#mapping(mappings.groups ?? {}, at.child('groups')),
      uid: this.#mapping(mappings.uid ?? {}, at.child('uid'), false),
      extra,
      ...rules,
      userRules: this.#userRules(fields.userValidationRules ?? [], path.child('userValidationRules')),
      scopes: this.#scopes,
    };
    this.#checkEmail(settings, at.child('username', 'expression'));
    return settings;
  }

  #claimRules(fields: JwtFields, path: FieldPath): Pick<JwtSettings, 'requiredClaims' | 'claimRules'> {
    const requiredClaims = new Map<string, string>();
    const texts = new Set<string>();
    const claimRules: ValidationRule[] = [];
    const given = this.#bounded(fields.claimValidationRules ?? [], path);
    for (const [index, {claim = '', requiredValue = '', expression = '', message = ''}] of given.entries()) {
      const at = path.index(index);
      if (claim !== '' && expression !== '') this.faults.push(invalid(at, claim, "claim and expression can't both be set"));
      else if (claim !== '') {
        if (message !== '') this.faults.push(invalid(at.child('message'), message, 'may not be specified when claim is set'));
        if (requiredClaims.has(claim)) this.faults.push(duplicate(at.child('claim'), claim));
        requiredClaims.set(claim, requiredValue);
      } else if (expression !== '') {
        if (requiredValue !== '')
          this.faults.push(invalid(at.child('requiredValue'), requiredValue, 'may not be specified when expression is set'));
        const rule = this.#rule(expression, message, texts, at.child('expression'), 'claims');
        if (rule) claimRules.push(rule);
      } else this.faults.push(required(at, 'claim or expression is required'));
    }
    return {requiredClaims: [...requiredClaims], claimRules};
  }

  #userRules(rules: readonly {readonly expression?: string; readonly message?: string}[], path: FieldPath): ValidationRule[] {
    const texts = new Set<string>();
    return this.#bounded(rules, path).flatMap(({expression = '', message = ''}, index) => {
      const at = path.index(index).child('expression');
      if (expression === '') {
        this.faults.push(required(at));
        return [];
      }
      return this.#rule(expression, message, texts, at, 'user') ?? [];
    });
  }

  #rule(text: string, message: string, earlier: Set<string>, path: FieldPath, about: keyof TokenScopes): ValidationRule | undefined {
    if (earlier.has(text)) {
      this.faults.push(duplicate(path, text));
      return undefined;
    }
    earlier.add(text);
    const expression = this.#compiled(text, path, about);
    if (expression && expression.resultType !== 'bool') this.faults.push(invalid(path, text, 'must evaluate to bool'));
    return expression && {expression, message};
  }

  /** Undefined if nothing is set, or something is wrong with it. */
  #mapping(fields: ClaimFields, path: FieldPath, needsPrefix = true): ClaimMapping | undefined {
    const {claim = '', expression = '', prefix} = fields;
    if (claim !== '' && expression !== '') {
      this.faults.push(invalid(path, '', "claim and expression can't both be set"));
      return undefined;
    }
    if (expression !== '') {
      if (prefix !== undefined) this.faults.push(invalid(path.child('prefix'), prefix, 'may not be specified when expression is set'));
      const compiled = this.#compiled(expression, path.child('expression'), 'claims');
      return compiled && {expression: compiled};
    }
    if (claim === '') return undefined;
    if (needsPrefix && prefix === undefined)
      this.faults.push(
        required(path.child('prefix'), 'prefix is required when claim is set. It can be set to an empty string to disable prefixing'),
      );
    return {claim, prefix: prefix ?? ''};
  }

  #extra(given: readonly {readonly key?: string; readonly valueExpression?: string}[], path: FieldPath): JwtSettings['extra'] {
    const keys = new Set<string>();
    return this.#bounded(given, path).flatMap(({key = '', valueExpression = ''}, index) => {
      const at = path.index(index);
      this.#checkKey(key, at.child('key'));
      if (keys.has(key)) {
        this.faults.push(duplicate(at.child('key'), key));
        return [];
      }
      keys.add(key);
      if (valueExpression === '') {
        this.faults.push(required(at.child('valueExpression')));
        return [];
      }
      const expression = this.#compiled(valueExpression, at.child('valueExpression'), 'claims');
      return expression ? {key, expression} : [];
    });
  }

  #checkKey(key: string, path: FieldPath): void {
    if (key === '') {
      this.faults.push(required(path));
      return;
    }
    const slash = key.indexOf('/');
    const [domain, rest] = slash < 0 ? ['', ''] : [key.slice(0, slash), key.slice(slash + 1)];
    if (slash < 0 || domain === '' || rest === '')
      this.faults.push(invalid(path, key, 'must be a domain-prefixed path (such as "acme.io/foo")'));
    else this.faults.push(...dnsSubdomainFaults(domain).map((fault) => invalid(path, domain, fault)));
    if (rest !== '' && !/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(rest))
      this.faults.push(invalid(path, rest, `Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')`));
    if (key !== key.toLowerCase()) this.faults.push(invalid(path, key, 'must be lowercase'));
    const reserved = [...new Set([this.#naming.groupSuffix, this.#naming.keyPrefix])];
    if (reserved.some((name) => domain === name || domain.endsWith(`.${name}`)))
      this.faults.push(invalid(path, key, `${reserved.join(', ')} and their subdomains are reserved for Kubernetes use`));
  }

  /** An address that the issuer has not confirmed may be somebody else's, so an expression that uses one must say what it makes of that. */
  #checkEmail({username, extra, claimRules}: JwtSettings, path: FieldPath): void {
    if (!('expression' in username) || !uses(username.expression, 'email')) return;
    const others = [username, ...extra, ...claimRules].map(({expression}) => expression);
    if (others.some((expression) => uses(expression, 'email_verified'))) return;
    const places = 'claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression';
    const detail = `claims.email_verified must be used in ${places} when claims.email is used in claimMappings.username.expression`;
    this.faults.push(invalid(path, username.expression.text, detail));
  }

  #compiled(text: string, path: FieldPath, about: keyof TokenScopes): Expression | undefined {
    try {
      return this.#scopes[about].compile(text, 'any');
    } catch (error) {
      if (!ExpressionError.is(error)) throw error;
      this.faults.push(invalid(path, text, error.message));
      return undefined;
    }
  }

  #bounded<T>(items: readonly T[], path: FieldPath): readonly T[] {
    if (items.length <= mostRules) return items;
    this.faults.push(tooMany(path, items.length, mostRules));
    return [];
  }
}

function uses({text}: Expression, claim: string): boolean {
  return new RegExp(`\\bclaims\\s*(\\.\\s*\\??\\s*${claim}\\b|\\[\\s*\\??\\s*["']${claim}["']\\s*\\])`).test(text);
}
