import {FieldPath, invalid, qualifiedNameFaults, required, type FieldError} from '../../../sdk/index.js';
import {sameValue, validateImmutable} from '../../../sdk/validation/index.js';
import type {Event} from './event-types.js';

const types = ['Normal', 'Warning'];
const unset = 'needs to be unset';
const immutableMembers = [
  'regarding',
  'related',
  'reason',
  'note',
  'deprecatedSource',
  'deprecatedFirstTimestamp',
  'deprecatedLastTimestamp',
  'deprecatedCount',
  'type',
  'eventTime',
  'action',
  'reportingController',
  'reportingInstance',
] as const;

/** Errors in a new event: it must have the newer form, without the fields that this form replaces. */
export function newEventFaults(object: Event, namespace: string, systemNamespace: string): FieldError[] {
  const faults = [...newFormFaults(object, namespace, systemNamespace), ...seriesFaults(object)];
  if (!object.eventTime) faults.push(required(FieldPath.of('eventTime')));
  if (!types.includes(object.type ?? '')) faults.push(invalid(FieldPath.of('type'), '', `has invalid value: ${object.type ?? ''}`));
  for (const member of ['deprecatedFirstTimestamp', 'deprecatedLastTimestamp', 'deprecatedCount'] as const) {
    if (object[member]) faults.push(invalid(FieldPath.of(member), '', unset));
  }
  const {component, host} = object.deprecatedSource ?? {};
  if (component || host) faults.push(invalid(FieldPath.of('deprecatedSource'), '', unset));
  return faults;
}

/** Errors in a changed event: only its series may change. Events created through the core group may have the older form. */
export function changedEventFaults(object: Event, old: Event, namespace: string, systemNamespace: string): FieldError[] {
  return [
    ...(object.eventTime ? newFormFaults(object, namespace, systemNamespace) : oldFormFaults(object, namespace)),
    ...(sameValue(object.series, old.series) ? [] : seriesFaults(object)),
    ...immutableMembers.flatMap((member) => validateImmutable(object[member], old[member], FieldPath.of(member))),
  ];
}

/** An event in the older form must be in the namespace of its object; events about cluster-scoped objects are in `default`. */
function oldFormFaults(object: Event, namespace: string): FieldError[] {
  const about = object.regarding?.namespace ?? '';
  const fits = about === '' ? namespace === 'default' : about === namespace;
  return fits ? [] : [namespaceFault(about)];
}

/** An event in the newer form names its reporter and action, and may also be in the system namespace. */
function newFormFaults(object: Event, namespace: string, systemNamespace: string): FieldError[] {
  const about = object.regarding?.namespace ?? '';
  const faults = about === '' && namespace !== 'default' && namespace !== systemNamespace ? [namespaceFault(about)] : [];
  const {reportingController = ''} = object;
  const controllerPath = FieldPath.of('reportingController');
  if (reportingController === '') faults.push(required(controllerPath));
  else faults.push(...qualifiedNameFaults(reportingController).map((detail) => invalid(controllerPath, reportingController, detail)));
  for (const member of ['reportingInstance', 'action', 'reason'] as const) {
    faults.push(...(object[member] ? lengthFaults(object[member], member, 128) : [required(FieldPath.of(member))]));
  }
  return [...faults, ...lengthFaults(object.note ?? '', 'note', 1024)];
}

function namespaceFault(about: string): FieldError {
  return invalid(FieldPath.of('regarding', 'namespace'), about, 'does not match event.namespace');
}

function lengthFaults(text: string, member: string, maximum: number): FieldError[] {
  return Buffer.byteLength(text) > maximum ? [invalid(FieldPath.of(member), '', `can have at most ${maximum} characters`)] : [];
}

function seriesFaults({series}: Event): FieldError[] {
  if (!series) return [];
  const faults = (series.count ?? 0) < 2 ? [invalid(FieldPath.of('series', 'count'), '', 'should be at least 2')] : [];
  return series.lastObservedTime ? faults : [...faults, required(FieldPath.of('series', 'lastObservedTime'))];
}
