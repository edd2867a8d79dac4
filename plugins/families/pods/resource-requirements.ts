import {
  compareQuantities,
  duplicate,
  forbiddenField,
  invalid,
  isWholeQuantity,
  notFoundField,
  quantityAmount,
  required,
  type FieldError,
  type FieldPath,
  type NamingProfile,
} from '../../../sdk/index.js';
import {invalidFor} from '../../../sdk/validation/index.js';
import type {ResourceRequirements} from '../../../sdk/types/unchecked/core/v1.js';
import type {PodRules} from './pod-rules.js';
import type {ResourceList} from './types.js';
import {containerResourceNameFaults, isHugePages, isNativeResource, isWholeResource} from './resource-names.js';

/** Maximum number of claim names in a message. */
const shownNames = 20;

/** Errors in an amount of a resource: it must not be negative, and must be an integer if the resource is counted. */
export function validateResourceAmount(name: string, amount: string, path: FieldPath, naming: NamingProfile): FieldError[] {
  const faults = quantityAmount(amount) < 0n ? [invalid(path, amount, 'must be greater than or equal to 0')] : [];
  if (isWholeResource(name, naming) && !isWholeQuantity(amount)) faults.push(invalid(path, amount, 'must be an integer'));
  return faults;
}

/**
 * Errors in a container's resources. A request is at most the limit. Huge pages and third-party resources cannot be overcommitted, so
 * request and limit must be equal.
 *
 * @param claims names of the pod's claims
 */
export function validateResourceRequirements(
  {limits = {}, requests = {}, claims = []}: ResourceRequirements,
  path: FieldPath,
  rules: PodRules,
  claimNames: ReadonlySet<string> = new Set(),
): FieldError[] {
  const limitsPath = path.child('limits');
  const requestsPath = path.child('requests');
  const faults = [...validateAmounts(limits, limitsPath, rules), ...validateAmounts(requests, requestsPath, rules)];
  for (const [name, request] of Object.entries(requests)) {
    const shared = isNativeResource(name, rules.naming) && !isHugePages(name);
    if (!Object.hasOwn(limits, name)) {
      if (!shared) faults.push(required(limitsPath, 'Limit must be set for non overcommitable resources'));
      continue;
    }
    const order = compareQuantities(request, limits[name]);
    if (!shared && order !== 0) faults.push(invalid(requestsPath, request, `must be equal to ${name} limit`));
    else if (order > 0) faults.push(invalid(requestsPath, request, `must be less than or equal to ${name} limit`));
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory')) {
    faults.push(forbiddenField(path, 'HugePages require cpu or memory'));
  }
  return [...faults, ...validateClaims(claims, claimNames, path.child('claims'))];
}

function validateAmounts(amounts: ResourceList, path: FieldPath, rules: PodRules): FieldError[] {
  const faults: FieldError[] = [];
  for (const [name, amount] of Object.entries(amounts)) {
    const at = path.key(name);
    faults.push(
      ...invalidFor(at, name, containerResourceNameFaults(name, rules.naming)),
      ...validateResourceAmount(name, amount, at, rules.naming),
    );
    if (isHugePages(name) && !rules.allowIndivisibleHugePages) {
      const size = quantityAmount(name.slice('hugepages-'.length));
      if (size <= 0n || quantityAmount(amount) % size !== 0n)
        faults.push(invalid(at, amount, `${amount} is not positive integer multiple of ${name}`));
    }
  }
  return faults;
}

function validateClaims(claims: readonly {name?: string}[], known: ReadonlySet<string>, path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  const choice = choiceText(known);
  return claims.flatMap(({name = ''}, index) => {
    const at = path.index(index);
    if (name === '') return [required(at)];
    if (seen.has(name)) return [duplicate(at, name)];
    seen.add(name);
    if (known.has(name)) return [];
    const fault = notFoundField(at, name);
    return [{...fault, body: `${fault.body}: must be one of the names in pod.spec.resourceClaims${choice}`}];
  });
}

/** The claims that may be named; the first ones if there are many. */
function choiceText(known: ReadonlySet<string>): string {
  if (known.size === 0) return ' which is empty';
  const shown = [...known].sort().slice(0, shownNames);
  return `: ${shown.join(', ')}${known.size > shownNames ? `, and ${known.size - shownNames} more` : ''}`;
}
