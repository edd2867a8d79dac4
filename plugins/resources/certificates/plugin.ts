import {
  FieldPath,
  humanDuration,
  inject,
  invalid,
  strategy,
  Tokens,
  pemBlocks,
  type FieldError,
  type NamingProfile,
  type ResourceStrategy,
  type StrategyContext,
  type UserInfo,
} from '../../../sdk/index.js';
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
  CertificateSigningRequestSpec,
} from '../../../sdk/types/unchecked/certificates/v1.js';
import {certificateChangeFaults, certificateFaults} from './certificate-faults.js';
import {conditionChangeFaults, conditionFaults, conditionsOf} from './condition-faults.js';
import {requestedSignerFaults} from './requested-signer-faults.js';
import {usageFaults} from './usage-faults.js';

export {ClusterTrustBundleStrategy} from './cluster-trust-bundle-strategy.js';
export {PodCertificateRequestStrategy} from './pod-certificate-request-strategy.js';

const requestPath = FieldPath.of('spec', 'request');
const blockType = 'CERTIFICATE REQUEST';
const wrongBlock = `PEM block type must be ${blockType}`;

const expirationPath = FieldPath.of('spec', 'expirationSeconds');
const minimumExpirationSeconds = 600;

/**
 * CertificateSigningRequest: asks a signer for a certificate. The server records who created it, and the request is immutable. It is
 * approved or denied through `approval`; the signer writes the certificate, or the failure, to `status`.
 */
@strategy()
export class CertificateSigningRequestStrategy implements ResourceStrategy<CertificateSigningRequest> {
  readonly #naming: NamingProfile;

  constructor(@inject(Tokens.Naming) naming: NamingProfile) {
    this.#naming = naming;
  }

  prepareForCreate(object: CertificateSigningRequest, context: StrategyContext): void {
    object.spec = withRequester(object.spec ?? {}, context.user);
  }

  prepareForUpdate(object: CertificateSigningRequest, old: CertificateSigningRequest, context: StrategyContext): void {
    if (context.subresource === 'status') {
      keepConditions(object, old, 'Approved');
      keepConditions(object, old, 'Denied');
    }
    if (context.subresource !== '') fillConditionTimes(object, old, context.now);
  }

  async validateCreate(object: CertificateSigningRequest): Promise<FieldError[]> {
    const {request, signerName = '', expirationSeconds, usages} = object.spec ?? {};
    const faults = [...(await requestFaults(request)), ...usageFaults(usages ?? []), ...requestedSignerFaults(signerName, this.#naming)];
    if (typeof expirationSeconds === 'number' && expirationSeconds < minimumExpirationSeconds) {
      faults.push(invalid(expirationPath, expirationSeconds, 'may not specify a duration less than 600 seconds (10 minutes)'));
    }
    return faults;
  }

  /** The spec is the stored one, which was validated on creation. */
  validateUpdate(object: CertificateSigningRequest, old: CertificateSigningRequest, {subresource}: StrategyContext): FieldError[] {
    return [
      ...conditionFaults(object),
      ...certificateFaults(object),
      ...conditionChangeFaults(object, old, subresource),
      ...certificateChangeFaults(object, old, subresource),
    ];
  }

  tableCells(object: CertificateSigningRequest): Record<string, string> {
    const {signerName, expirationSeconds} = object.spec ?? {};
    return {
      SignerName: signerName || '<none>',
      RequestedDuration: typeof expirationSeconds === 'number' ? humanDuration(expirationSeconds * 1000) : '<none>',
      Condition: conditionText(object),
    };
  }
}

/** The server determines the requester. */
function withRequester(spec: CertificateSigningRequestSpec, {username, uid, groups, extra}: UserInfo): CertificateSigningRequestSpec {
  const {username: _username, uid: _uid, groups: _groups, extra: _extra, ...wanted} = spec;
  return {
    ...wanted,
    username,
    ...(uid ? {uid} : {}),
    ...(groups.length > 0 ? {groups: [...groups]} : {}),
    ...(extra && Object.keys(extra).length > 0
      ? {extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]]))}
      : {}),
  };
}

/** Restores the stored conditions of a type. Added and removed ones stay, and validation rejects them. */
function keepConditions(object: CertificateSigningRequest, old: CertificateSigningRequest, type: string): void {
  const stored = conditionsOf(old, type);
  if (stored.length === 0 || conditionsOf(object, type).length !== stored.length) return;
  let next = 0;
  object.status = {
    ...object.status,
    conditions: (object.status?.conditions ?? []).map((entry) => (entry.type === type ? {...stored[next++]!} : entry)),
  };
}

/** Conditions without times get the time of the write; unchanged ones keep their transition time. */
function fillConditionTimes(object: CertificateSigningRequest, old: CertificateSigningRequest, now: Date): void {
  const time = `${now.toISOString().slice(0, 19)}Z`;
  const keyOf = ({type, status}: CertificateSigningRequestCondition) => JSON.stringify([type, status]);
  const before = new Map((old.status?.conditions ?? []).map((condition) => [keyOf(condition), condition.lastTransitionTime]));
  for (const condition of object.status?.conditions ?? []) {
    condition.lastUpdateTime ??= time;
    condition.lastTransitionTime ??= before.get(keyOf(condition)) ?? time;
  }
}

function conditionText(object: CertificateSigningRequest): string {
  const has = (type: string) => conditionsOf(object, type).length > 0;
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return decision + (has('Failed') ? ',Failed' : '') + (object.status?.certificate ? ',Issued' : '');
}

/**
 * Errors in the request itself: it must be a PEM block with a PKCS #10 request signed by its own key
 * (docs/semantics/access.md#certificate-requests).
 */
async function requestFaults(base64: string | null | undefined): Promise<FieldError[]> {
  const [block] = pemBlocks(Buffer.from(base64 ?? '', 'base64').toString('latin1'));
  const problem = block?.type === blockType ? await requestProblem(block.bytes) : wrongBlock;
  return problem === undefined ? [] : [invalid(requestPath, base64 ?? '', problem)];
}

async function requestProblem(bytes: Buffer): Promise<string | undefined> {
  // Loaded for the first request: most servers never receive one.
  const {Pkcs10CertificateRequest} = await import('@peculiar/x509');
  try {
    return (await new Pkcs10CertificateRequest(bytes).verify()) ? undefined : 'the signature of the request is not valid';
  } catch (error) {
    return `the request cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
