import {dnsLabelFaults, dnsSubdomainFaults, duplicate, invalid, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {validateGivenText, validateText} from '../../../sdk/validation/index.js';
import type {PodResourceClaim} from '../../../sdk/types/unchecked/core/v1.js';

/** Errors in the resource claims that a pod's containers share. */
export function validatePodResourceClaims(claims: readonly PodResourceClaim[] | undefined, path: FieldPath): FieldError[] {
  const names = new Set<string>();
  return (claims ?? []).flatMap(({name = '', source = {}}, index) => {
    const at = path.index(index);
    const faults = validateText(name, at.child('name'), dnsLabelFaults);
    if (name !== '' && names.has(name)) faults.push(duplicate(at.child('name'), name));
    names.add(name);
    return [...faults, ...validateSource(source, at.child('source'))];
  });
}

function validateSource(source: NonNullable<PodResourceClaim['source']>, path: FieldPath): FieldError[] {
  const {resourceClaimName, resourceClaimTemplateName} = source;
  const faults: FieldError[] = [];
  const given = [resourceClaimName, resourceClaimTemplateName].filter((name) => typeof name === 'string').length;
  if (given === 2) faults.push(invalid(path, source, 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'));
  if (given === 0) faults.push(invalid(path, source, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'));
  return [
    ...faults,
    ...validateGivenText(resourceClaimName, path.child('resourceClaimName'), dnsSubdomainFaults),
    ...validateGivenText(resourceClaimTemplateName, path.child('resourceClaimTemplateName'), dnsSubdomainFaults),
  ];
}
