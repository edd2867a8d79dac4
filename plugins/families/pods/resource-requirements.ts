import {
  compareQuantities,
  dnsLabelFaults,
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
import {invalidFor, validateOptionalText} from '../../../sdk/validation/index.js';
import type {ResourceRequirements} from '../../../sdk/types/unchecked/core/v1.js';
import type {PodRules} from './pod-rules.js';
import type {ResourceList} from './types.js';
import {containerResourceNameFaults, isHugePages, isNativeResource, isWholeResource} from './resource-names.js';

type ResourceRules = Pick<PodRules, 'naming' | 'allowIndivisibleHugePages'>;

/** Errors in the name of a resource that may be requested. */
type ResourceNameRule = (name: string, path: FieldPath, rules: ResourceRules) => FieldError[];

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
 * @param claimNames names of the pod's claims @param validateName of those resources that may be requested: a container's, if not given
 */
export function validateResourceRequirements(
  {limits = {}, requests = {}, claims = []}: ResourceRequirements,
  path: FieldPath,
  rules: ResourceRules,
  claimNames: ReadonlySet<string> = new Set(),
  validateName: ResourceNameRule = validateContainerResource,
): FieldError[] {
  const limitsPath = path.child('limits');
  const requestsPath = path.child('requests');
  const faults = [
    ...validateAmounts(limits, limitsPath, rules, validateName),
    ...validateAmounts(requests, requestsPath, rules, validateName),
  ];
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

function validateContainerResource(name: string, path: FieldPath, {naming}: ResourceRules): FieldError[] {
  return invalidFor(path, name, containerResourceNameFaults(name, naming));
}

function validateAmounts(amounts: ResourceList, path: FieldPath, rules: ResourceRules, validateName: ResourceNameRule): FieldError[] {
  const faults: FieldError[] = [];
  for (const [name, amount] of Object.entries(amounts)) {
    const at = path.key(name);
    faults.push(...validateName(name, at, rules), ...validateResourceAmount(name, amount, at, rules.naming));
    if (isHugePages(name) && !rules.allowIndivisibleHugePages) {
      const size = quantityAmount(name.slice('hugepages-'.length));
      if (size <= 0n || quantityAmount(amount) % size !== 0n)
        faults.push(invalid(at, amount, `${amount} is not positive integer multiple of ${name}`));
    }
  }
  return faults;
}

function validateClaims(claims: readonly {name?: string; request?: string}[], known: ReadonlySet<string>, path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  const choice = choiceText(known);
  return claims.flatMap(({name = '', request = ''}, index) => {
    const at = path.index(index);
    if (name === '') return [required(at)];
    const faults = usedTwice(name, request, seen, at);
    if (known.has(name)) return faults;
    const fault = notFoundField(at, name);
    return [...faults, {...fault, body: `${fault.body}: must be one of the names in pod.spec.resourceClaims${choice}`}];
  });
}

/** A claim can be used as a whole, or by requests of it, each once. Adds to `seen`. */
function usedTwice(name: string, request: string, seen: Set<string>, path: FieldPath): FieldError[] {
  if (seen.has(name)) return [duplicate(path, name)];
  const faults = validateOptionalText(request, path.child('request'), dnsLabelFaults);
  const key = request === '' ? name : `${name}/${request}`;
  const isPartlyUsed = request === '' && [...seen].some((other) => other.startsWith(`${name}/`));
  if (seen.has(key) || isPartlyUsed) faults.push(duplicate(path, key));
  seen.add(key);
  return faults;
}

/** The claims that may be named; the first ones if there are many. */
function choiceText(known: ReadonlySet<string>): string {
  if (known.size === 0) return ' which is empty';
  const shown = [...known].sort().slice(0, shownNames);
  return `: ${shown.join(', ')}${known.size > shownNames ? `, and ${known.size - shownNames} more` : ''}`;
}
