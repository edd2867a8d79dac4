import {X509Certificate} from 'node:crypto';
import {conditionOf, hasCertificate, type SigningRequest} from '../../families/certificates/request-object.js';

const hour = 3_600_000;
const decidedMillis = hour;
const pendingMillis = 24 * hour;
/** Times in objects and certificates are rounded down to whole seconds. */
const roundingMillis = 1000;

/**
 * When a request must be deleted, in milliseconds since 1970 (docs/semantics/deletion.md#requests-for-certificates): one hour after it was
 * denied or failed, or approved if it has a certificate; 24 hours after its creation if nothing was decided, or after its approval if nobody
 * has signed it; and in any case when its certificate has expired.
 */
export function dueForRemoval(request: SigningRequest): number | undefined {
  const isIssued = hasCertificate(request);
  const times = (['Approved', 'Denied', 'Failed'] as const).flatMap((type) => {
    const condition = conditionOf(request, type);
    return condition ? [timeOf(condition.lastUpdateTime) + (type === 'Approved' && !isIssued ? pendingMillis : decidedMillis)] : [];
  });
  if (times.length === 0) times.push(timeOf(request.metadata.creationTimestamp) + pendingMillis);
  times.push(expiryOf(request));
  const known = times.filter((time) => !Number.isNaN(time));
  return known.length === 0 ? undefined : Math.min(...known) + roundingMillis;
}

function timeOf(text: string | null | undefined): number {
  return Date.parse(text ?? '');
}

function expiryOf(request: SigningRequest): number {
  if (!hasCertificate(request)) return Number.NaN;
  try {
    return Date.parse(new X509Certificate(Buffer.from(request.status!.certificate!, 'base64')).validTo);
  } catch {
    // An unreadable certificate does not expire; the request is deleted by its age.
    return Number.NaN;
  }
}
