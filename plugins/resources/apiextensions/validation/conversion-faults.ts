import {
  dns1035LabelFaults,
  forbiddenField,
  invalid,
  notSupported,
  required,
  type FieldError,
  type FieldPath,
} from '../../../../sdk/index.js';
import {webhookServiceFaults, webhookUrlFaults} from '../../../../sdk/webhooks/index.js';
import {reviewVersions} from '../conversion/review-versions.js';
import type {Conversion, WebhookClientConfig} from '../custom-resource-definition.js';

/**
 * Errors in `spec.conversion`. The parts of `webhook` are reported as `webhookClientConfig` and `conversionReviewVersions` of the
 * conversion itself, as in Kubernetes.
 *
 * @param requireKnownReviewVersion false if the stored definition names no known version either
 */
export function conversionFaults(conversion: Conversion | undefined, path: FieldPath, requireKnownReviewVersion: boolean): FieldError[] {
  if (!conversion) return [];
  const {strategy, webhook} = conversion;
  const configPath = path.child('webhookClientConfig');
  const versionsPath = path.child('conversionReviewVersions');
  const faults: FieldError[] = [];
  if (strategy === '') faults.push(required(path.child('strategy')));
  else if (strategy !== 'None' && strategy !== 'Webhook') faults.push(notSupported(path.child('strategy'), strategy, ['None', 'Webhook']));
  const versions = webhook?.conversionReviewVersions ?? [];
  if (strategy === 'Webhook') {
    if (webhook?.clientConfig) faults.push(...clientConfigFaults(webhook.clientConfig, configPath));
    else faults.push(required(configPath, 'required when strategy is set to Webhook'));
    faults.push(...reviewVersionFaults(versions, versionsPath, requireKnownReviewVersion));
    return faults;
  }
  const detail = 'should not be set when strategy is not set to Webhook';
  if (webhook?.clientConfig) faults.push(forbiddenField(configPath, detail));
  if (versions.length > 0) faults.push(forbiddenField(versionsPath, detail));
  return faults;
}

function clientConfigFaults({url, service}: WebhookClientConfig, path: FieldPath): FieldError[] {
  if ((url === undefined) === (service === undefined)) return [required(path, 'exactly one of url or service is required')];
  return url === undefined ? webhookServiceFaults(service!, path.child('service')) : webhookUrlFaults(url, path.child('url'));
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
