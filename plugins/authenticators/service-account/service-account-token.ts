import {randomUUID} from 'node:crypto';
import {
  apiVersionOf,
  badRequest,
  conflict,
  FieldPath,
  ifFound,
  inject,
  invalid,
  invalidObject,
  Tokens,
  virtualResource,
  type ApiObject,
  type FeatureGates,
  type FieldError,
  type NamingProfile,
  type ResourceClient,
  type StatusError,
  type VirtualRequest,
  type VirtualResource,
} from '../../../sdk/index.js';
import type {TokenRequest} from '../../../sdk/types/unchecked/authentication/v1.js';
import {AccountTokens} from './account-tokens.js';
import {tokenCredentialId} from '../../families/authentication/credential-ids.js';
import type {NamedObject, TokenSubject} from './token-claims.js';

const secondsPath = FieldPath.of('spec', 'expirationSeconds');
const minimumSeconds = 600;
const limitSeconds = 2 ** 32;

/**
 * `serviceaccounts/token`: creates a token for a service account (Kubernetes' TokenRequest). Tokens are not stored: their signature proves
 * them valid.
 */
@virtualResource()
export class ServiceAccountToken implements VirtualResource {
  readonly #tokens: AccountTokens;
  readonly #apiGroup: string;
  readonly #resources: ResourceClient;
  readonly #gates: FeatureGates;
  readonly #keepsUid: boolean;
  readonly #issuedKey: string;

  constructor(
    @inject(AccountTokens) tokens: AccountTokens,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
  ) {
    this.#gates = gates;
    this.#keepsUid = gates.enabled('TokenRequestServiceAccountUIDValidation');
    this.#issuedKey = `authentication.${naming.keyPrefix}/issued-credential-id`;
    this.#resources = resources;
    this.#tokens = tokens;
    this.#apiGroup = naming.group('authentication.orch');
  }

  async create(object: TokenRequest, request: VirtualRequest): Promise<ApiObject> {
    const {namespace, name, now} = request;
    const {metadata, spec = {}} = object;
    this.#requireName(metadata, name);
    const account = await this.#resources.get({group: '', version: 'v1', resource: 'serviceaccounts'}, namespace, name);
    const uid = account.metadata.uid!;
    if (this.#keepsUid && metadata.uid && metadata.uid !== uid) throw this.#otherUid(metadata.uid, uid, name);
    const faults = expiryFaults(spec.expirationSeconds ?? 3600);
    if (faults.length > 0) throw invalidObject({group: this.#apiGroup, kind: 'TokenRequest'}, '', faults);
    const {bound, node} = (await this.#bound(spec, namespace, name)) ?? {};

    const {maximumSeconds} = this.#tokens.settings;
    const wanted = spec.expirationSeconds ?? 3600;
    if (wanted > maximumSeconds) request.warn(`requested expiration of ${wanted} seconds shortened to ${maximumSeconds} seconds`);
    const seconds = Math.min(wanted, maximumSeconds);
    const audiences = spec.audiences?.length ? spec.audiences : [...this.#tokens.settings.audiences];
    const issuedAt = Math.floor(now.getTime() / 1000);
    const subject: TokenSubject = {namespace, account: {name, uid}, ...(bound ? {bound} : {}), ...(node ? {node} : {})};
    const jti = this.#gates.enabled('ServiceAccountTokenJTI') ? randomUUID() : undefined;
    const claims = {
      iss: this.#tokens.settings.issuer,
      aud: audiences,
      iat: issuedAt,
      nbf: issuedAt,
      exp: issuedAt + seconds,
      ...(jti === undefined ? {} : {jti}),
      ...this.#tokens.claims.ofRequest(subject),
    };
    if (jti !== undefined) request.annotate(this.#issuedKey, tokenCredentialId(jti)!);
    return {
      apiVersion: apiVersionOf({group: this.#apiGroup, version: 'v1'}),
      kind: 'TokenRequest',
      metadata: {...kept(metadata), name, namespace, ...(this.#keepsUid ? {uid} : {}), creationTimestamp: timestamp(issuedAt)},
      spec: {audiences, expirationSeconds: seconds, boundObjectRef: bound ? {...spec.boundObjectRef, uid: bound.uid} : null},
      status: {token: request.dryRun ? '' : await this.#tokens.keys.sign(claims), expirationTimestamp: timestamp(claims.exp)},
    };
  }

  /** @throws 422 if a body for another account was sent */
  #requireName(given: TokenRequest['metadata'], name: string): void {
    if (!given.name || given.name === name) return;
    const fault = invalid(FieldPath.of('metadata', 'name'), given.name, 'must match the service account name if specified');
    throw invalidObject({group: this.#apiGroup, kind: 'TokenRequest'}, name, [fault]);
  }

  /** The account was deleted and made again since the client saw it. */
  #otherUid(given: string, actual: string, name: string): StatusError {
    const text = `the UID in the token request (${given}) does not match the UID of the service account (${actual})`;
    return conflict({group: this.#apiGroup, resource: 'TokenRequest', name}, text);
  }

  /**
   * @throws 400 for an object to which a token of this account cannot be bound, 404 if it does not exist, 409 if the uid belongs to another
   * object of that name
   */
  async #bound({boundObjectRef}: NonNullable<TokenRequest['spec']>, namespace: string, account: string): Promise<Binding | undefined> {
    if (!boundObjectRef) return undefined;
    const {kind = '', apiVersion = '', name = '', uid = ''} = boundObjectRef;
    const [version = '', ...rest] = apiVersion.split('/').reverse();
    if (rest.length > 0 || !isBindable(kind)) {
      const group = rest.reverse().join('/');
      throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
    }
    if (kind === 'Node' && !this.#gates.enabled('ServiceAccountTokenNodeBinding'))
      throw badRequest('cannot bind token to a Node object as the "ServiceAccountTokenNodeBinding" feature-gate is disabled');
    const ref = {group: '', version: 'v1', resource: bindable[kind]};
    const found = await this.#resources.get(ref, kind === 'Node' ? '' : namespace, name);
    const {serviceAccountName, nodeName} = (found['spec'] ?? {}) as {serviceAccountName?: string; nodeName?: string};
    if (kind === 'Pod' && serviceAccountName !== account) {
      throw badRequest(
        `cannot bind token for serviceaccount ${JSON.stringify(account)} to pod running with different serviceaccount name.`,
      );
    }
    const actual = found.metadata.uid!;
    if (uid !== '' && uid !== actual)
      throw conflict(
        {group: '', resource: kind, name},
        `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
      );
    const node =
      kind === 'Pod' && nodeName && this.#gates.enabled('ServiceAccountTokenPodNodeInfo') ? await this.#place(nodeName) : undefined;
    return {bound: {kind, name, uid: actual}, ...(node ? {node} : {})};
  }

  /** Where a pod runs. Its node need not exist. */
  async #place(name: string): Promise<NamedObject> {
    const nodes = {group: '', version: 'v1', resource: 'nodes'};
    const cached = await ifFound(this.#resources.get(nodes, '', name, {resourceVersion: '0'}));
    const node = cached ?? (await ifFound(this.#resources.get(nodes, '', name)));
    return {name, uid: node?.metadata.uid ?? ''};
  }
}

/** What clients have said of a request for a token, and get back. */
function kept({labels, annotations}: TokenRequest['metadata']): TokenRequest['metadata'] {
  return {...(labels && {labels}), ...(annotations && {annotations})};
}

interface Binding {
  readonly bound: NonNullable<TokenSubject['bound']>;
  readonly node?: NamedObject;
}

const bindable = {Pod: 'pods', Secret: 'secrets', Node: 'nodes'} as const;

function isBindable(kind: string): kind is keyof typeof bindable {
  return Object.hasOwn(bindable, kind);
}

function expiryFaults(seconds: number): FieldError[] {
  if (seconds < minimumSeconds) return [invalid(secondsPath, seconds, 'may not specify a duration less than 10 minutes')];
  if (seconds > limitSeconds) return [invalid(secondsPath, seconds, 'may not specify a duration larger than 2^32 seconds')];
  return [];
}

function timestamp(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
}
