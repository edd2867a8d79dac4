import {
  dnsSubdomainFaults,
  FieldPath,
  forbiddenField,
  inject,
  invalid,
  qualifiedNameFaults,
  required,
  strategy,
  Tokens,
  tooLong,
  type AccessReviewer,
  type FieldError,
  type NamingProfile,
  type ResourceStrategy,
  type StrategyContext,
  type UserInfo,
} from '../../../sdk/index.js';
import {isOwnSigner, signerNameFaults} from '../../families/certificates/signer-names.js';
import {invalidFor, sameValue, validateImmutable} from '../../../sdk/validation/index.js';
import type {PodCertificateRequest, PodCertificateRequestSpec} from '../../../sdk/types/unchecked/certificates/v1beta1.js';
import {decisionOf, podCertificateStatusFaults} from './pod-certificate-status-faults.js';
import {podKeyFaults} from './pod-key-faults.js';

const specPath = FieldPath.of('spec');
const signerPath = specPath.child('signerName');
const annotationsPath = specPath.child('unverifiedUserAnnotations');
const expirationPath = specPath.child('maxExpirationSeconds');
const maximumUidBytes = 128;
const maximumAnnotationBytes = 256 * 1024;
const minimumExpirationSeconds = 3600;
/** The platform's own signers give certificates for a day at most, others for 91. */
const maximumExpirationSeconds = {own: 86_400, others: 91 * 86_400};

/** PodCertificateRequest: an agent asks a signer for the certificate of a pod. The request is immutable, and whoever may sign for the signer answers it once. */
@strategy()
export class PodCertificateRequestStrategy implements ResourceStrategy<PodCertificateRequest> {
  readonly #naming: NamingProfile;
  readonly #access: AccessReviewer;

  constructor(@inject(Tokens.Naming) naming: NamingProfile, @inject(Tokens.Access) access: AccessReviewer) {
    this.#naming = naming;
    this.#access = access;
  }

  async validateCreate({spec = {}}: PodCertificateRequest): Promise<FieldError[]> {
    const faults = [
      ...signerNameFaults(spec.signerName ?? '', signerPath, this.#naming),
      ...annotationFaults(spec.unverifiedUserAnnotations ?? {}),
      ...subjectFaults(spec),
    ];
    const {maxExpirationSeconds: seconds} = spec;
    if (typeof seconds !== 'number') return [...faults, required(expirationPath, 'must be set')];
    const maximum = maximumExpirationSeconds[isOwnSigner(spec.signerName ?? '', this.#naming) ? 'own' : 'others'];
    if (seconds < minimumExpirationSeconds || seconds > maximum)
      faults.push(invalid(expirationPath, seconds, `must be in the range [${minimumExpirationSeconds}, ${maximum}]`));
    return [...faults, ...(await podKeyFaults(spec))];
  }

  async validateUpdate(
    object: PodCertificateRequest,
    old: PodCertificateRequest,
    {subresource, now, user}: StrategyContext,
  ): Promise<FieldError[]> {
    if (subresource !== 'status') return validateImmutable(object.spec, old.spec, specPath);
    const faults = await podCertificateStatusFaults(object, old, now);
    if (faults.length > 0 || sameValue(object.status, old.status)) return faults;
    const signer = old.spec?.signerName ?? '';
    if (await this.#maySign(user, signer)) return [];
    const detail = `User ${JSON.stringify(user.username)} is not permitted to "sign" for signer ${JSON.stringify(signer)}`;
    return [forbiddenField(signerPath, detail)];
  }

  tableCells(object: PodCertificateRequest): Record<string, string> {
    const annotations = Object.entries(object.spec?.unverifiedUserAnnotations ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
    return {
      State: decisionOf(object) ?? 'Pending',
      UnverifiedUserAnnotations: annotations.map(([key, value]) => `${key}=${value}`).join(',') || '<none>',
    };
  }

  async #maySign(user: UserInfo, signer: string): Promise<boolean> {
    for (const name of [signer, `${signer.split('/', 1)[0]!}/*`]) {
      const {decision} = await this.#access.authorize({
        user,
        verb: 'sign',
        isResourceRequest: true,
        path: '',
        group: this.#naming.group('certificates.orch'),
        version: '*',
        resource: 'signers',
        subresource: '',
        namespace: '',
        name,
      });
      if (decision === 'allow') return true;
    }
    return false;
  }
}

function annotationFaults(annotations: Readonly<Record<string, string>>): FieldError[] {
  const entries = Object.entries(annotations);
  const faults = entries.flatMap(([name]) => {
    const key = name.toLowerCase();
    if (key === '') return [required(annotationsPath)];
    const own = invalidFor(annotationsPath, key, qualifiedNameFaults(key));
    if (own.length > 0 || key.includes('/')) return own;
    return [invalid(annotationsPath, key, 'must be a domain-prefixed key (such as "acme.io/foo")')];
  });
  const bytes = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return bytes > maximumAnnotationBytes ? [...faults, tooLong(annotationsPath, maximumAnnotationBytes)] : faults;
}

function subjectFaults(spec: PodCertificateRequestSpec): FieldError[] {
  const parts = [
    ['podName', 'podUID'],
    ['serviceAccountName', 'serviceAccountUID'],
    ['nodeName', 'nodeUID'],
  ] as const;
  return parts.flatMap(([name, uid]) => {
    const id = spec[uid] ?? '';
    return [
      ...invalidFor(specPath.child(name), spec[name] ?? '', dnsSubdomainFaults(spec[name] ?? '')),
      ...(id === '' ? [invalid(specPath.child(uid), id, 'must not be empty')] : []),
      ...(Buffer.byteLength(id) > maximumUidBytes ? [tooLong(specPath.child(uid), maximumUidBytes)] : []),
    ];
  });
}
