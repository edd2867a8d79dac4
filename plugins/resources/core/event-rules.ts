import {FieldPath, invalid, qualifiedNameFaults, required, type FieldError} from '../../../sdk/index.js';
import type {Event} from '../../../sdk/types/unchecked/core/v1.js';

const involvedNamespacePath = FieldPath.of('involvedObject', 'namespace');
const reporterPath = FieldPath.of('reportingComponent');
const mismatch = 'does not match event.namespace';

/**
 * Errors in an event. An event must be in the namespace of the object it is about; events about cluster-scoped objects are in `default`.
 * Events with `eventTime` have the newer form, which says who reports what; they may also be in the system namespace.
 */
export function eventFaults(object: Event, namespace: string, systemNamespace: string): FieldError[] {
  const involved = object.involvedObject?.namespace ?? '';
  if (!object.eventTime) {
    const matches = involved === '' ? namespace === 'default' : involved === namespace;
    return matches ? [] : [invalid(involvedNamespacePath, involved, mismatch)];
  }
  const faults: FieldError[] = [];
  if (involved === '' && namespace !== 'default' && namespace !== systemNamespace)
    faults.push(invalid(involvedNamespacePath, involved, mismatch));
  const reporter = object.reportingComponent ?? '';
  if (reporter === '') faults.push(required(reporterPath));
  for (const detail of qualifiedNameFaults(reporter)) faults.push(invalid(reporterPath, reporter, detail));
  faults.push(
    ...requiredText(object.reportingInstance, 'reportingInstance', 128),
    ...requiredText(object.action, 'action', 128),
    ...requiredText(object.reason, 'reason', 128),
    ...limitedText(object.message, 'message', 1024),
  );
  return faults;
}

function requiredText(text: string | undefined, field: string, maximum: number): FieldError[] {
  return text ? limitedText(text, field, maximum) : [required(FieldPath.of(field))];
}

function limitedText(text: string | undefined, field: string, maximum: number): FieldError[] {
  if (text === undefined || Buffer.byteLength(text) <= maximum) return [];
  return [invalid(FieldPath.of(field), '', `can have at most ${maximum} characters`)];
}
