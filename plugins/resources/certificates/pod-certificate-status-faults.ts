import {X509Certificate} from 'node:crypto';
import {FieldPath, invalid, notSupported, pemBlocks, required, tooLong, type FieldError} from '../../../sdk/index.js';
import {sameValue, validateConditions} from '../../../sdk/validation/index.js';
import type {PodCertificateRequest, PodCertificateRequestStatus} from '../../../sdk/types/unchecked/certificates/v1beta1.js';
import {isForKey, withoutValue} from './pod-key-faults.js';

const statusPath = FieldPath.of('status');
const chainPath = statusPath.child('certificateChain');
const notBeforePath = statusPath.child('notBefore');
const notAfterPath = statusPath.child('notAfter');
const refreshPath = statusPath.child('beginRefreshAt');
const maximumChainBytes = 100 * 1024;
const hourMillis = 3_600_000;
/** How far the start of a certificate may be from now. */
const skewMillis = 300_000;
/** How long before its end and after its start a certificate is not to be asked for again. */
const refreshMillis = 600_000;
const decisions = ['Issued', 'Denied', 'Failed'];

/** Errors in the status of a request: it changes once, when the certificate is issued, denied, or cannot be issued. */
export async function podCertificateStatusFaults(
  object: PodCertificateRequest,
  old: PodCertificateRequest,
  now: Date,
): Promise<FieldError[]> {
  const status = object.status ?? {};
  const faults = [...decisionFaults(status), ...validateConditions(status.conditions, statusPath.child('conditions'))];
  if (faults.length > 0) return faults;
  const before = old.status ?? {};
  const isSame = sameValue(status, before);
  if (decisions.some((type) => isTrue(before, type)))
    return isSame ? [] : [withoutValue(statusPath, 'immutable after PodCertificateRequest is issued, denied, or failed')];
  if (isTrue(status, 'Denied') || isTrue(status, 'Failed')) {
    const {conditions: _conditions, ...others} = status;
    const detail = 'non-condition status fields must be empty when denying or failing the PodCertificateRequest';
    return Object.values(others).some(Boolean) ? [withoutValue(statusPath, detail)] : [];
  }
  if (isTrue(status, 'Issued')) return issuedFaults(status, old, now);
  return isSame ? [] : [withoutValue(statusPath, 'status is immutable unless transitioning to "Issued", "Denied", or "Failed"')];
}

/** Whether a decision has been made. */
export function decisionOf({status}: PodCertificateRequest): string | undefined {
  return (status?.conditions ?? []).map(({type = ''}) => type).findLast((type) => decisions.includes(type));
}

/** Kubernetes writes the indices of these paths with a dot before them. */
function decisionFaults({conditions}: PodCertificateRequestStatus): FieldError[] {
  let known = 0;
  return (conditions ?? []).flatMap(({type = '', status = ''}, index) => {
    const at = statusPath.child('conditions', `[${index}]`);
    if (!decisions.includes(type)) return [notSupported(at.child('type'), type, decisions)];
    known += 1;
    return [
      ...(known > 1
        ? [invalid(at.child('type'), type, 'There may be at most one condition with type "Issued", "Denied", or "Failed"')]
        : []),
      ...(status === 'True' ? [] : [notSupported(at.child('status'), status, ['True'])]),
    ];
  });
}

async function issuedFaults(status: PodCertificateRequestStatus, {spec = {}}: PodCertificateRequest, now: Date): Promise<FieldError[]> {
  const {certificateChain: chain = ''} = status;
  const wrong = (detail: string) => [invalid(chainPath, chain, detail)];
  if (Buffer.byteLength(chain) > maximumChainBytes) return [tooLong(chainPath, maximumChainBytes)];
  const [leaf, ...others] = pemBlocks(chain);
  if (!leaf) return wrong('issued certificate chain must contain at least one certificate');
  if (leaf.type !== 'CERTIFICATE') return wrong('issued certificate chain must consist entirely of CERTIFICATE PEM blocks');
  const certificate = readCertificate(leaf.bytes);
  if (!certificate) return wrong('leaf certificate does not parse as valid X.509');
  const faults = nameFaults(certificate);
  if (!(await isForKey(certificate, spec))) return [...faults, ...wrong('leaf certificate was not issued to the requested public key')];
  faults.push(...presenceFaults(status));
  if (faults.length > 0) return faults;
  faults.push(...timeFaults(status, certificate, Number(spec.maxExpirationSeconds), now.getTime()));
  if (faults.length > 0) return faults;
  for (const {type, bytes} of others) {
    // As Kubernetes spells it.
    if (type !== 'CERTIFICATE') return wrong('issued certificate chain must consist entirely of CERTFICATE PEM blocks');
    if (!readCertificate(bytes)) return wrong('intermediate certificate does not parse as valid X.509');
  }
  return [];
}

function nameFaults({subjectAltName = ''}: X509Certificate): FieldError[] {
  return subjectAltName.split(', ').flatMap((entry) => {
    if (entry.startsWith('email:') && !/^[^\s@<>]+@[^\s@<>]+$/.test(entry.slice(6)))
      return [invalid(chainPath, entry.slice(6), 'leaf certificate should not contain invalid EmailAddress')];
    if (!entry.startsWith('DNS:')) return [];
    const name = entry.slice(4);
    return [
      ...(name === '' ? ['leaf certificate should not contain empty DNSName'] : []),
      ...(name.includes('..') ? ["leaf certificate's DNSName should not contain '..'"] : []),
      ...(name.startsWith('.') || name.endsWith('.') ? ["leaf certificate's DNSName should not start or end with '.'"] : []),
    ].map((detail) => invalid(chainPath, name, detail));
  });
}

function presenceFaults({notBefore, notAfter, beginRefreshAt}: PodCertificateRequestStatus): FieldError[] {
  const consistent = 'must be present and consistent with the issued certificate';
  return [
    ...(notBefore ? [] : [required(notBeforePath, consistent)]),
    ...(notAfter ? [] : [required(notAfterPath, consistent)]),
    ...(beginRefreshAt ? [] : [required(refreshPath, 'must be present and in the range [notbefore+10min, notafter-10min]')]),
  ];
}

/** @param now milliseconds since 1970 */
function timeFaults(
  {notBefore, notAfter, beginRefreshAt}: PodCertificateRequestStatus,
  {validFrom, validTo}: X509Certificate,
  maximumSeconds: number,
  now: number,
): FieldError[] {
  const [from, to, refresh] = [Date.parse(notBefore!), Date.parse(notAfter!), Date.parse(beginRefreshAt!)];
  if (from !== Date.parse(validFrom))
    return [invalid(notBeforePath, notBefore, 'must be set to the NotBefore time encoded in the leaf certificate')];
  if (Math.abs(from - now) >= skewMillis)
    return [invalid(notBeforePath, notBefore, "must be set to within 5 minutes of kube-apiserver's current time")];
  if (to !== Date.parse(validTo))
    return [invalid(notAfterPath, notAfter, 'must be set to the NotAfter time encoded in the leaf certificate')];
  // In nanoseconds, as Kubernetes shows it.
  const lifetime = (to - from) * 1_000_000;
  if (to - from < hourMillis) return [invalid(chainPath, lifetime, 'leaf certificate lifetime must be >= 1 hour')];
  if (to - from > maximumSeconds * 1000)
    return [invalid(chainPath, lifetime, `leaf certificate lifetime must be <= spec.maxExpirationSeconds (${maximumSeconds})`)];
  if (refresh < from + refreshMillis) return [invalid(refreshPath, beginRefreshAt, 'must be at least 10 minutes after status.notBefore')];
  if (refresh > to - refreshMillis) return [invalid(refreshPath, beginRefreshAt, 'must be at least 10 minutes before status.notAfter')];
  return [];
}

function readCertificate(bytes: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(bytes);
  } catch {
    return undefined;
  }
}

function isTrue({conditions}: PodCertificateRequestStatus, type: string): boolean {
  return (conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');
}
