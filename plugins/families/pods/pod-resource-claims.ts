import {dnsLabelFaults, dnsSubdomainFaults, duplicate, FieldPath, forbiddenField, invalid, type FieldError} from '../../../sdk/index.js';
import {validateGivenText, validateText} from '../../../sdk/validation/index.js';
import type {PodResourceClaim} from '../../../sdk/types/unchecked/core/v1.js';
import type {PodRules} from './pod-rules.js';

/** Errors in the resource claims that a pod's containers share. */
export function validatePodResourceClaims(claims: readonly PodResourceClaim[] | undefined, path: FieldPath, rules: PodRules): FieldError[] {
  // The empty path is Kubernetes' own.
  if (claims?.length && rules.podMetadata?.annotations?.[rules.naming.key('orch/config.mirror')] !== undefined && claims.every(isFlat))
    return claims.map(() => forbiddenField(FieldPath.root, 'static pods do not support resource claims'));
  const names = new Set<string>();
  return (claims ?? []).flatMap((claim, index) => {
    const {name = ''} = claim;
    const at = path.index(index);
    const faults = validateText(name, at.child('name'), dnsLabelFaults);
    if (name !== '' && names.has(name)) faults.push(duplicate(at.child('name'), name));
    names.add(name);
    return [...faults, ...(isFlat(claim) ? validateSource(claim, at) : validateSource(claim.source ?? {}, at.child('source')))];
  });
}

/** Whether a claim says itself where it comes from, as from 1.31 on. */
function isFlat({source}: PodResourceClaim): boolean {
  return source === undefined;
}

function validateSource(source: Pick<PodResourceClaim, 'resourceClaimName' | 'resourceClaimTemplateName'>, path: FieldPath): FieldError[] {
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
