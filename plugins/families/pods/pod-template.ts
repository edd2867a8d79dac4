import {forbiddenField, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {validateAnnotations, validateLabels} from '../../../sdk/labels/index.js';
import type {PodTemplateSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {validatePodAnnotations, validateSeccompAgreement} from './pod-annotations.js';
import type {PodRules} from './pod-rules.js';
import {applyPodSpecDefaults} from './pod-spec-defaults.js';
import {validatePodSpec} from './pod-spec.js';

/**
 * All errors in a pod template. As in Kubernetes, labels and annotations are reported as members of the template itself
 * (`spec.template.labels`).
 */
export function validatePodTemplateSpec(template: PodTemplateSpec | undefined | null, path: FieldPath, rules: PodRules): FieldError[] {
  const {metadata = {}, spec = {}} = template ?? {};
  const faults = [
    ...validatePodTemplateMetadata(template, path),
    ...validatePodAnnotations(metadata.annotations, spec, path.child('annotations'), rules),
    ...validatePodSpec(spec, path.child('spec'), rules),
    ...validateSeccompAgreement(metadata.annotations, spec, path.child('spec'), rules),
  ];
  if (spec.ephemeralContainers?.length) {
    faults.push(forbiddenField(path.child('spec', 'ephemeralContainers'), 'ephemeral containers not allowed in pod template'));
  }
  return faults;
}

/** The errors in labels and annotations only: a StatefulSet checks nothing else in its template. */
export function validatePodTemplateMetadata(template: PodTemplateSpec | undefined | null, path: FieldPath): FieldError[] {
  const {labels, annotations} = template?.metadata ?? {};
  return [...validateLabels(labels, path.child('labels')), ...validateAnnotations(annotations, path.child('annotations'))];
}

/** Fills in defaults that depend on other fields of the template. Modifies `template`. Fixed defaults are in the schema. */
export function applyPodTemplateDefaults(template: PodTemplateSpec | undefined | null): void {
  if (template?.spec) applyPodSpecDefaults(template.spec);
}
