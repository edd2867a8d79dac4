import {FieldPath, forbiddenField, type FieldError} from '../../../sdk/index.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';
import {validateAppArmorAgreement} from '../../families/pods/app-armor.js';
import {validateImages} from '../../families/pods/containers.js';
import {validatePodAnnotations, validateSeccompAgreement} from '../../families/pods/pod-annotations.js';
import type {PodRules} from '../../families/pods/pod-rules.js';
import {validatePodSpec} from '../../families/pods/pod-spec.js';

const specPath = FieldPath.of('spec');
const annotationsPath = FieldPath.of('metadata', 'annotations');

/** Errors that apply to new and changed pods. */
export function podFaults({metadata, spec = {}}: Pod, rules: PodRules): FieldError[] {
  const ownRules = {...rules, podMetadata: metadata};
  return [
    ...validatePodAnnotations(metadata.annotations, spec, annotationsPath, rules),
    ...validatePodSpec(spec, specPath, ownRules),
    ...tokenFaults(spec),
    ...validateImages(spec, specPath),
    ...validateSeccompAgreement(metadata.annotations, spec, specPath, rules),
  ];
}

/** Errors in a new pod. */
export function newPodFaults(pod: Pod, rules: PodRules): FieldError[] {
  const {ephemeralContainers, nodeName, schedulingGates} = pod.spec ?? {};
  const faults = podFaults(pod, rules);
  if (ephemeralContainers?.length) faults.push(forbiddenField(specPath.child('ephemeralContainers'), 'cannot be set on create'));
  const appArmor = rules.naming.key('container.apparmor.security.beta.orch/');
  faults.push(...validateAppArmorAgreement(pod.spec ?? {}, specPath, (container) => pod.metadata.annotations?.[appArmor + container]));
  if (nodeName && schedulingGates?.length) {
    faults.push(forbiddenField(specPath.child('nodeName'), 'cannot be set until all schedulingGates have been cleared'));
  }
  return faults;
}

/** A projected token is that of the pod's service account. */
function tokenFaults({serviceAccountName, volumes}: NonNullable<Pod['spec']>): FieldError[] {
  if (serviceAccountName) return [];
  return (volumes ?? []).flatMap(({projected}, volume) =>
    (projected?.sources ?? []).flatMap(({serviceAccountToken}, source) => {
      const at = specPath.child('volumes').index(volume).child('projected', 'sources').index(source).child('serviceAccountToken');
      return serviceAccountToken ? [forbiddenField(at, 'must not be specified when serviceAccountName is not set')] : [];
    }),
  );
}
