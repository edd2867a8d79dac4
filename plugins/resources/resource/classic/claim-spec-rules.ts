import {dnsLabelFaults, dnsSubdomainFaults, invalid, required, type FieldError, type FieldPath} from '../../../../sdk/index.js';
import {invalidFor, validateOneOf} from '../../../../sdk/validation/index.js';
import type {ResourceClaimSpec, ResourceClassParametersReference} from '../../../../sdk/types/unchecked/resource/v1alpha1.js';

const allocationModes = ['Immediate', 'WaitForFirstConsumer'];

/** Errors in the spec of a claim or claim template. */
export function claimSpecFaults({resourceClassName = '', parametersRef, allocationMode}: ResourceClaimSpec, path: FieldPath): FieldError[] {
  const classPath = path.child('resourceClassName');
  const faults =
    resourceClassName === ''
      ? [required(classPath)]
      : dnsSubdomainFaults(resourceClassName).map((detail) => invalid(classPath, resourceClassName, detail));
  return [
    ...faults,
    ...parametersFaults(parametersRef, path.child('parametersRef')),
    ...validateOneOf(allocationMode, allocationModes, path.child('allocationMode')),
  ];
}

/** Errors in a reference to the parameters of a claim or class; none without a reference. */
export function parametersFaults(reference: ResourceClassParametersReference | undefined, path: FieldPath): FieldError[] {
  if (!reference) return [];
  return (['kind', 'name'] as const).filter((member) => !reference[member]).map((member) => required(path.child(member)));
}

/** Errors in a reference to the parameters of a class, which may be in a namespace. */
export function classParametersFaults(reference: ResourceClassParametersReference | undefined, path: FieldPath): FieldError[] {
  const namespace = reference?.namespace ?? '';
  const faults = namespace === '' ? [] : invalidFor(path.child('namespace'), namespace, dnsLabelFaults(namespace));
  return [...parametersFaults(reference, path), ...faults];
}
