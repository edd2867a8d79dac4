import {forbiddenField, invalid, notSupported, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {validateNonNegative, validateNonNegativeMembers} from '../../shared/fields/field-rules.js';
import {labelsMatch} from '../../shared/labels/label-selector.js';
import type {PodRules} from '../../shared/pod/pod-rules.js';
import {validatePodTemplateSpec} from '../../shared/pod/pod-template.js';
import type {PodTemplateSpec} from '../../shared/pod/pod-types.js';

export interface ReplicationControllerSpec {
  replicas?: number;
  minReadySeconds?: number;
  selector?: Record<string, string>;
  template?: PodTemplateSpec;
}

export interface ReplicationControllerStatus {
  replicas?: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  observedGeneration?: number;
}

/** Faults of what a replication controller is to keep running. */
export function replicationControllerFaults(spec: ReplicationControllerSpec, path: FieldPath, rules: PodRules): FieldError[] {
  const {replicas, minReadySeconds, selector = {}, template} = spec;
  const faults = [...validateNonNegative(minReadySeconds, path.child('minReadySeconds'))];
  if (Object.keys(selector).length === 0) faults.push(required(path.child('selector')));
  faults.push(...validateNonNegative(replicas, path.child('replicas')));
  return template ? [...faults, ...templateFaults(template, spec, path.child('template'), rules)] : [...faults, required(path.child('template'))];
}

function templateFaults(template: PodTemplateSpec, {selector, replicas = 0}: ReplicationControllerSpec, path: FieldPath, rules: PodRules): FieldError[] {
  const {labels = {}} = template.metadata ?? {};
  const {restartPolicy = '', activeDeadlineSeconds, volumes = []} = template.spec ?? {};
  const faults: FieldError[] = [];
  if (!labelsMatch(selector, labels)) faults.push(invalid(path.child('metadata', 'labels'), labels, '`selector` does not match template `labels`'));
  faults.push(...validatePodTemplateSpec(template, path, rules));
  if (replicas > 1) {
    for (const [index, {gcePersistentDisk: disk}] of volumes.entries()) {
      const at = path.child('spec', 'volumes').index(index).child('gcePersistentDisk', 'readOnly');
      if (disk && !disk.readOnly) faults.push(invalid(at, false, 'must be true for replicated pods > 1; GCE PD can only be mounted on multiple machines if it is read-only'));
    }
  }
  if (restartPolicy !== 'Always') faults.push(notSupported(path.child('spec', 'restartPolicy'), restartPolicy, ['Always']));
  if (typeof activeDeadlineSeconds === 'number') {
    faults.push(forbiddenField(path.child('spec', 'activeDeadlineSeconds'), 'activeDeadlineSeconds in ReplicationController is not Supported'));
  }
  return faults;
}

const counters = ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'] as const;

/** Faults of what is reported: no count is negative or greater than what it is a part of. */
export function replicationControllerStatusFaults(status: ReplicationControllerStatus, path: FieldPath): FieldError[] {
  const {replicas = 0, readyReplicas = 0, availableReplicas = 0} = status;
  const faults = validateNonNegativeMembers(status, counters, path);
  for (const member of ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const) {
    const count = status[member] ?? 0;
    if (count > replicas) faults.push(invalid(path.child(member), count, 'cannot be greater than status.replicas'));
  }
  if (availableReplicas > readyReplicas) faults.push(invalid(path.child('availableReplicas'), availableReplicas, 'cannot be greater than readyReplicas'));
  return faults;
}
