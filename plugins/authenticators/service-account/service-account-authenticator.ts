import {createHash} from 'node:crypto';
import type {JWTPayload} from 'jose';
import {
  authenticator,
  ifFound,
  inject,
  StatusError,
  Tokens,
  unauthorized,
  type Clock,
  type ApiObject,
  type AuthenticatedUser,
  type AuthenticationRequest,
  type Authenticator,
  type FeatureGates,
  type NamingProfile,
  type ResourceClient,
  type UserInfo,
} from '../../../sdk/index.js';
import {bearerToken, sameSecret, tokenIssuer} from '../../../sdk/authentication/index.js';
import {tokenCredentialId} from '../../families/authentication/credential-ids.js';
import {AccountTokens} from './account-tokens.js';
import {LegacyTokenUses} from './legacy-token-uses.js';
import {userNameOf, type TokenSubject} from './token-claims.js';

const resourceOf = {Pod: 'pods', Secret: 'secrets', Node: 'nodes'} as const;

/** Number of tokens with a valid signature that are cached: verifying one costs a tenth of a millisecond. */
const rememberedTokens = 2000;
/** Maximum characters of a cached token: callers decide how many audiences a token names. */
const longestRemembered = 4096;

/**
 * Authenticates service accounts by bearer tokens that this server has signed (docs/semantics/access.md#service-accounts). A token is valid
 * until it expires, as long as its account and the Pod, Secret or Node to which it is bound exist.
 */
@authenticator({order: 200})
export class ServiceAccountAuthenticator implements Authenticator {
  readonly #tokens: AccountTokens;
  readonly #extraPrefix: string;
  /** By the hash of the token, so that memory contains no tokens. */
  readonly #good = new Map<string, JWTPayload>();
  #generation = 0;
  readonly #resources: ResourceClient;
  readonly #clock: Clock;
  readonly #gates: FeatureGates;
  readonly #uses: LegacyTokenUses;

  constructor(
    @inject(AccountTokens) tokens: AccountTokens,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Clock) clock: Clock,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(LegacyTokenUses) uses: LegacyTokenUses,
  ) {
    this.#uses = uses;
    this.#gates = gates;
    this.#clock = clock;
    this.#resources = resources;
    this.#tokens = tokens;
    this.#extraPrefix = `authentication.${naming.keyPrefix}/`;
  }

  /** Rejects with a one-sentence message if key files are given that are unusable. */
  async start(): Promise<void> {
    const {signingKeyFile, keyFiles} = this.#tokens.settings;
    if (signingKeyFile !== undefined || keyFiles.length > 0) await this.#tokens.keys.refresh();
  }

  get serverAudiences(): readonly string[] {
    return this.#tokens.settings.audiences;
  }

  authenticate(request: AuthenticationRequest): AuthenticatedUser | undefined | Promise<AuthenticatedUser | undefined> {
    const token = bearerToken(request);
    const issuer = token === undefined ? undefined : tokenIssuer(token);
    if (token === undefined || issuer === undefined) return undefined;
    if (!this.#tokens.settings.issuers.has(issuer) && issuer !== this.#tokens.claims.secretIssuer) return undefined;
    return this.#identify(token, issuer, request);
  }

  async #identify(token: string, issuer: string, request: AuthenticationRequest): Promise<AuthenticatedUser> {
    try {
      const claims = await this.#verified(token);
      const audiences = this.#audiencesOf(claims, request.audiences);
      const user = this.#tokens.settings.issuers.has(issuer) ? await this.#byRequest(claims) : await this.#bySecret(claims, token, request);
      return {...user, audiences};
    } catch (error) {
      // A failed look-up says nothing about the token.
      if (StatusError.is(error)) throw error;
      throw unauthorized(undefined, {cause: error});
    }
  }

  async #verified(token: string): Promise<JWTPayload> {
    await this.#tokens.keys.refresh();
    const {generation} = this.#tokens.keys;
    if (generation !== this.#generation) {
      this.#good.clear();
      this.#generation = generation;
    }
    const hash = createHash('sha256').update(token).digest('base64');
    const known = this.#good.get(hash);
    if (known) return known;
    const claims = await this.#tokens.keys.verify(token);
    // The keys may have changed in the meantime.
    if (this.#tokens.keys.generation !== generation) return claims;
    if (token.length > longestRemembered) return claims;
    if (this.#good.size >= rememberedTokens) this.#good.delete(this.#good.keys().next().value!);
    this.#good.set(hash, claims);
    return claims;
  }

  /** The requested audiences that a token is for. A token without audiences, such as those in Secrets, is for this server. */
  #audiencesOf({aud}: JWTPayload, wanted: readonly string[]): string[] {
    const named = typeof aud === 'string' ? [aud] : (aud ?? []);
    const audiences = new Set(named.length > 0 ? named : this.#tokens.settings.audiences);
    const found = wanted.filter((audience) => audiences.has(audience));
    if (found.length > 0) return found;
    throw new Error(`token audiences ${listText([...audiences])} is invalid for the target audiences ${listText(wanted)}`);
  }

  async #byRequest(claims: JWTPayload): Promise<UserInfo> {
    const now = this.#clock.now() / 1000;
    if (typeof claims.exp !== 'number' || claims.exp <= now) throw new Error('service account token has expired');
    if (typeof claims.nbf === 'number' && claims.nbf > now + 1) throw new Error('service account token is not valid yet');
    const subject = this.#tokens.claims.readRequest(claims);
    if (!subject) throw new Error('the token has not the claims of a service account');
    await this.#requireAccount(subject);
    if (subject.bound) await this.#requireBound(subject.bound, subject.namespace);
    return this.#user(subject, this.#extraOf(subject, claims));
  }

  async #requireBound(bound: NonNullable<TokenSubject['bound']>, namespace: string): Promise<void> {
    const gate = 'ServiceAccountTokenNodeBindingValidation';
    if (bound.kind === 'Node' && !this.#gates.enabled(gate))
      throw new Error(`token is bound to a Node object but the ${gate} feature gate is disabled`);
    const isBound = (found: ApiObject | undefined) => isOf(found, bound.uid, this.#clock.now());
    const found = await this.#find(resourceOf[bound.kind], bound.kind === 'Node' ? '' : namespace, bound.name, isBound);
    if (isBound(found)) return;
    const uid = found?.metadata.uid;
    if (uid === undefined || uid === bound.uid) throw new Error('service account token has been invalidated');
    const claim = {Pod: 'pod ref claim', Secret: 'secret ref claim', Node: 'node ref claim'}[bound.kind];
    throw new Error(
      `${bound.kind === 'Secret' ? 'secret' : bound.kind.toLowerCase()} UID (${uid}) does not match service account ${claim} (${bound.uid})`,
    );
  }

  /** Where the token is from, for authorizers and audit logs. */
  #extraOf({bound, node}: TokenSubject, {jti}: JWTPayload): UserInfo['extra'] {
    const id = this.#gates.enabled('ServiceAccountTokenJTI') ? tokenCredentialId(jti) : undefined;
    const pod = bound?.kind === 'Pod' ? bound : undefined;
    const place = bound?.kind === 'Node' ? bound : this.#gates.enabled('ServiceAccountTokenPodNodeInfo') ? node : undefined;
    const values = [
      ['credential-id', id],
      ['node-name', place?.name],
      ['node-uid', place?.uid],
      ['pod-name', pod?.name],
      ['pod-uid', pod?.uid],
    ] as const;
    const given = values.flatMap(([key, value]) => (value ? [[`${this.#extraPrefix}${key}`, [value]] as const] : []));
    return given.length > 0 ? Object.fromEntries(given) : undefined;
  }

  async #bySecret(claims: JWTPayload, token: string, request: AuthenticationRequest): Promise<UserInfo> {
    const subject = this.#tokens.claims.readSecret(claims);
    if (!subject) throw new Error('the token has not the claims of a service account');
    this.#uses.counted(request, claims);
    const account = await this.#requireAccount(subject);
    const holds = (secret: ApiObject | undefined) => {
      const {token: stored = ''} = (secret?.['data'] ?? {}) as {token?: string};
      return isAlive(secret, this.#clock.now()) && sameSecret(Buffer.from(stored, 'base64').toString('utf8'), token);
    };
    const secret = await this.#find('secrets', subject.namespace, subject.secret, holds);
    if (!secret || !holds(secret)) throw new Error('the Secret does not hold the token any more');
    this.#uses.used(request, secret, account);
    return this.#user(subject);
  }

  async #requireAccount({namespace, account}: TokenSubject): Promise<ApiObject> {
    const isAccount = (found: ApiObject | undefined) => isOf(found, account.uid, this.#clock.now());
    const found = await this.#find('serviceaccounts', namespace, account.name, isAccount);
    if (found && isAccount(found)) return found;
    const uid = found?.metadata.uid;
    if (uid === undefined) throw new Error(`serviceaccounts ${JSON.stringify(account.name)} not found`);
    if (uid === account.uid) throw new Error(`service account ${namespace}/${account.name} has been deleted`);
    throw new Error(`service account UID (${uid}) does not match claim (${account.uid})`);
  }

  /** Uses the cache if it suffices, otherwise the most recent state: another server's cache may not contain a new object yet. */
  async #find(
    resource: string,
    namespace: string,
    name: string,
    willDo: (found: ApiObject | undefined) => boolean,
  ): Promise<ApiObject | undefined> {
    const cached = await this.#read(resource, namespace, name, '0');
    return willDo(cached) ? cached : this.#read(resource, namespace, name);
  }

  #read(resource: string, namespace: string, name: string, resourceVersion?: string): Promise<ApiObject | undefined> {
    const options = resourceVersion === undefined ? {} : {resourceVersion};
    return ifFound(this.#resources.get({group: '', version: 'v1', resource}, namespace, name, options));
  }

  #user({namespace, account}: TokenSubject, extra?: UserInfo['extra']): UserInfo {
    return {
      username: userNameOf(namespace, account.name),
      uid: account.uid,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
      ...(extra ? {extra} : {}),
    };
  }
}

function isOf(object: ApiObject | undefined, uid: string, now: number): boolean {
  return object?.metadata.uid === uid && isAlive(object, now);
}

/** An object being deleted counts until its grace period ends. */
function isAlive(object: ApiObject | undefined, now: number): boolean {
  const end = object?.metadata.deletionTimestamp;
  return object !== undefined && (!end || Date.parse(end) > now - 60_000);
}

/** The first of the strings, in the form of lists in Kubernetes' messages. */
function listText(texts: readonly string[]): string {
  return `[${texts
    .slice(0, 10)
    .map((text) => JSON.stringify(text.slice(0, 200)))
    .join(' ')}${texts.length > 10 ? ' …' : ''}]`;
}
