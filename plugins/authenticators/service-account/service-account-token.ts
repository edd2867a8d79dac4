import {
  apiVersionOf,
  badRequest,
  conflict,
  FieldPath,
  inject,
  invalid,
  invalidObject,
  Tokens,
  virtualResource,
  type ApiObject,
  type FieldError,
  type NamingProfile,
  type ResourceClient,
  type VirtualRequest,
  type VirtualResource,
} from '../../../sdk/index.js';
import type {TokenRequest} from '../../../sdk/types/unchecked/authentication/v1.js';
import {AccountTokens} from './account-tokens.js';
import type {TokenSubject} from './token-claims.js';

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

  constructor(
    @inject(AccountTokens) tokens: AccountTokens,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Resources) resources: ResourceClient,
  ) {
    this.#resources = resources;
    this.#tokens = tokens;
    this.#apiGroup = naming.group('authentication.orch');
  }

  async create(object: TokenRequest, request: VirtualRequest): Promise<ApiObject> {
    const {namespace, name, now} = request;
    const {metadata, spec = {}} = object;
    if (metadata.name && metadata.name !== name)
      throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
    if (metadata.namespace && metadata.namespace !== namespace)
      throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
    const account = await this.#resources.get({group: '', version: 'v1', resource: 'serviceaccounts'}, namespace, name);
    const faults = expiryFaults(spec.expirationSeconds ?? 3600);
    if (faults.length > 0) throw invalidObject({group: this.#apiGroup, kind: 'TokenRequest'}, name, faults);
    const bound = await this.#bound(spec, namespace, name);

    const seconds = Math.min(spec.expirationSeconds ?? 3600, this.#tokens.settings.maximumSeconds);
    const audiences = spec.audiences?.length ? spec.audiences : [...this.#tokens.settings.audiences];
    const issuedAt = Math.floor(now.getTime() / 1000);
    const subject: TokenSubject = {namespace, account: {name, uid: account.metadata.uid!}, ...(bound ? {bound} : {})};
    const claims = {
      iss: this.#tokens.settings.issuer,
      aud: audiences,
      iat: issuedAt,
      nbf: issuedAt,
      exp: issuedAt + seconds,
      ...this.#tokens.claims.ofRequest(subject),
    };
    return {
      apiVersion: apiVersionOf({group: this.#apiGroup, version: 'v1'}),
      kind: 'TokenRequest',
      metadata: {name, namespace, creationTimestamp: timestamp(issuedAt)},
      spec: {audiences, expirationSeconds: seconds, boundObjectRef: bound ? {...spec.boundObjectRef, uid: bound.uid} : null},
      status: {token: request.dryRun ? '' : await this.#tokens.keys.sign(claims), expirationTimestamp: timestamp(claims.exp)},
    };
  }

  /**
   * @throws 400 for an object to which a token of this account cannot be bound, 404 if it does not exist, 409 if the uid belongs to another
   * object of that name
   */
  async #bound({boundObjectRef}: NonNullable<TokenRequest['spec']>, namespace: string, account: string): Promise<TokenSubject['bound']> {
    if (!boundObjectRef) return undefined;
    const {kind = '', apiVersion = '', name = '', uid = ''} = boundObjectRef;
    if (apiVersion !== 'v1' || (kind !== 'Pod' && kind !== 'Secret'))
      throw badRequest(`cannot bind token for serviceaccount to object of type ${apiVersion}, Kind=${kind}`);
    const resource = kind === 'Pod' ? 'pods' : 'secrets';
    const found = await this.#resources.get({group: '', version: 'v1', resource}, namespace, name);
    const actual = found.metadata.uid!;
    if (uid !== '' && uid !== actual)
      throw conflict(
        {group: '', resource, name},
        `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
      );
    if (kind === 'Pod' && (found['spec'] as {serviceAccountName?: string} | undefined)?.serviceAccountName !== account) {
      throw badRequest(
        `cannot bind token for serviceaccount ${JSON.stringify(account)} to pod running with different serviceaccount name.`,
      );
    }
    return {kind, name, uid: actual};
  }
}

function expiryFaults(seconds: number): FieldError[] {
  if (seconds < minimumSeconds) return [invalid(secondsPath, seconds, 'may not specify a duration less than 10 minutes')];
  if (seconds > limitSeconds) return [invalid(secondsPath, seconds, 'may not specify a duration larger than 2^32 seconds')];
  return [];
}

function timestamp(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
}
