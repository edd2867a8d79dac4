import {
  dns1035LabelFaults,
  forbiddenField,
  invalid,
  notSupported,
  required,
  type FieldError,
  type FieldPath,
} from '../../../../sdk/index.js';
import {X509Certificate} from 'node:crypto';
import {webhookServiceFaults, webhookUrlFaults, type WebhookService} from '../../../../sdk/webhooks/index.js';
import {reviewVersions} from '../conversion/review-versions.js';
import type {Conversion, WebhookClientConfig} from '../custom-resource-definition.js';
import type {Ratcheting} from './ratcheting.js';

/**
 * Errors in `spec.conversion`. The parts of `webhook` are reported as `webhookClientConfig` and `conversionReviewVersions` of the
 * conversion itself, as in Kubernetes.
 *
 * @param requireKnownReviewVersion false if the stored definition names no known version either
 */
export function conversionFaults(
  conversion: Conversion | undefined,
  path: FieldPath,
  requireKnownReviewVersion: boolean,
  ratcheting: Ratcheting,
): FieldError[] {
  if (!conversion) return [];
  const {strategy, webhook} = conversion;
  const configPath = path.child('webhookClientConfig');
  const versionsPath = path.child('conversionReviewVersions');
  const faults: FieldError[] = [];
  if (strategy === '') faults.push(required(path.child('strategy')));
  else if (strategy !== 'None' && strategy !== 'Webhook') faults.push(notSupported(path.child('strategy'), strategy, ['None', 'Webhook']));
  const versions = webhook?.conversionReviewVersions ?? [];
  if (strategy === 'Webhook') {
    if (webhook?.clientConfig) faults.push(...clientConfigFaults(webhook.clientConfig, configPath, ratcheting));
    else faults.push(required(configPath, 'required when strategy is set to Webhook'));
    faults.push(...reviewVersionFaults(versions, versionsPath, requireKnownReviewVersion));
    return faults;
  }
  const detail = 'should not be set when strategy is not set to Webhook';
  if (webhook?.clientConfig) faults.push(forbiddenField(configPath, detail));
  if (versions.length > 0) faults.push(forbiddenField(versionsPath, detail));
  return faults;
}

function clientConfigFaults({url, service, caBundle}: WebhookClientConfig, path: FieldPath, ratcheting: Ratcheting): FieldError[] {
  const faults =
    (url === undefined) === (service === undefined)
      ? [required(path, 'exactly one of url or service is required')]
      : url === undefined
        ? serviceFaults(service!, path.child('service'), ratcheting)
        : webhookUrlFaults(url, path.child('url'));
  if (!caBundle || !ratcheting.behaviour.checksCaBundles || ratcheting.unreadableCaBundle) return faults;
  const fault = caBundleFault(caBundle);
  return fault === undefined ? faults : [...faults, invalid(path.child('caBundle'), caBundle, fault)];
}

function serviceFaults(service: WebhookService, path: FieldPath, {behaviour}: Ratcheting): FieldError[] {
  const faults = webhookServiceFaults(service, path);
  if (!behaviour.shortDetails) return faults;
  return faults.map((fault) => (fault.reason === 'FieldValueRequired' ? {...fault, body: 'Required value'} : fault));
}

const pemBlock = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g;

/** Why certificates (PEM in base64) cannot be used, in the words of Kubernetes; undefined if they can. */
export function caBundleFault(caBundle: string): string | undefined {
  const text = Buffer.from(caBundle, 'base64').toString('utf8');
  const blocks = text.match(pemBlock) ?? [];
  if (blocks.length === 0) return 'unable to load root certificates: unable to parse bytes as PEM block';
  const certificates = blocks.filter((block) => block.startsWith('-----BEGIN CERTIFICATE-----'));
  const isReadable = certificates.length > 0 && certificates.every((certificate) => isCertificate(certificate));
  return isReadable ? undefined : 'unable to load root certificates: no valid certificate found';
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

function reviewVersionFaults(versions: readonly string[], path: FieldPath, requireKnown: boolean): FieldError[] {
  if (versions.length === 0) return [required(path)];
  const faults: FieldError[] = [];
  const seen = new Set<string>();
  for (const [position, version] of versions.entries()) {
    if (seen.has(version)) faults.push(invalid(path.index(position), version, 'duplicate version'));
    else faults.push(...dns1035LabelFaults(version).map((detail) => invalid(path.index(position), version, detail)));
    seen.add(version);
  }
  if (requireKnown && !versions.some((version) => reviewVersions.includes(version))) {
    faults.push(invalid(path, versions, `must include at least one of ${reviewVersions.join(', ')}`));
  }
  return faults;
}
