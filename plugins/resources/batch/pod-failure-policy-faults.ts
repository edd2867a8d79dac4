import {duplicate, invalid, qualifiedNameFaults, tooMany, type FeatureGates, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {isGiven, validateOneOf} from '../../../sdk/validation/index.js';
import type {JobSpec, PodFailurePolicyOnExitCodesRequirement, PodFailurePolicyRule} from '../../../sdk/types/unchecked/batch/v1.js';

const maximumRules = 20;
const maximumConditions = 20;
const maximumExitCodes = 255;
const operators = ['In', 'NotIn'];
const statuses = ['False', 'True', 'Unknown'];

/** A condition of a pod counts while it is true, if the policy does not say otherwise. Modifies `policy`. */
export function applyPodFailurePolicyDefaults(policy: JobSpec['podFailurePolicy'] | null): void {
  for (const {onPodConditions} of policy?.rules ?? []) {
    for (const pattern of onPodConditions ?? []) if (!pattern.status) pattern.status = 'True';
  }
}

/** Errors in a job's pod failure policy. */
export function validatePodFailurePolicy(spec: JobSpec, path: FieldPath, gates: FeatureGates): FieldError[] {
  const {podFailurePolicy, template, backoffLimitPerIndex} = spec;
  const actions =
    gates.enabled('JobBackoffLimitPerIndex') || isGiven(backoffLimitPerIndex)
      ? ['Count', 'FailIndex', 'FailJob', 'Ignore']
      : ['Count', 'FailJob', 'Ignore'];
  const rules = podFailurePolicy?.rules ?? [];
  const {containers, initContainers} = template?.spec ?? {};
  const names = new Set([...(initContainers ?? []), ...(containers ?? [])].map(({name}) => name ?? ''));
  const faults = rules.length > maximumRules ? [tooMany(path.child('rules'), rules.length, maximumRules)] : [];
  return [
    ...faults,
    ...rules.flatMap((rule, index) => {
      const at = path.child('rules').index(index);
      const own = oneOf(rule.action, actions, at.child('action'));
      if (rule.action === 'FailIndex' && own.length === 0 && !isGiven(backoffLimitPerIndex))
        own.push(invalid(at.child('action'), rule.action, 'requires the backoffLimitPerIndex to be set'));
      return [...own, ...validateRule(rule, names, at)];
    }),
  ];
}

function validateRule(
  {onExitCodes, onPodConditions}: PodFailurePolicyRule,
  containers: ReadonlySet<string>,
  path: FieldPath,
): FieldError[] {
  const conditions = onPodConditions ?? [];
  const faults: FieldError[] = [];
  if (onExitCodes) faults.push(...validateExitCodes(onExitCodes, containers, path.child('onExitCodes')));
  faults.push(...validateConditionPatterns(conditions, path.child('onPodConditions')));
  if (onExitCodes && conditions.length > 0) faults.push(bare(path, 'specifying both OnExitCodes and OnPodConditions is not supported'));
  if (!onExitCodes && conditions.length === 0) faults.push(bare(path, 'specifying one of OnExitCodes and OnPodConditions is required'));
  return faults;
}

function validateExitCodes(
  {operator, containerName, values}: PodFailurePolicyOnExitCodesRequirement,
  containers: ReadonlySet<string>,
  path: FieldPath,
): FieldError[] {
  const codes = values ?? [];
  const valuesPath = path.child('values');
  const faults = oneOf(operator, operators, path.child('operator'));
  if (isGiven(containerName) && !containers.has(containerName)) {
    faults.push(
      invalid(path.child('containerName'), containerName, 'must be one of the container or initContainer names in the pod template'),
    );
  }
  if (codes.length === 0) faults.push(invalid(valuesPath, codes, 'at least one value is required'));
  else if (codes.length > maximumExitCodes) faults.push(tooMany(valuesPath, codes.length, maximumExitCodes));
  const seen = new Set<number>();
  for (const [index, code] of codes.entries()) {
    const at = valuesPath.index(index);
    if (operator === 'In' && code === 0) faults.push(invalid(at, code, 'must not be 0 for the In operator'));
    if (seen.has(code)) faults.push(duplicate(at, code));
    seen.add(code);
  }
  if (codes.some((code, index) => index > 0 && codes[index - 1]! > code)) faults.push(invalid(valuesPath, codes, 'must be ordered'));
  return faults;
}

function validateConditionPatterns(patterns: readonly {type?: string; status?: string}[], path: FieldPath): FieldError[] {
  const faults = patterns.length > maximumConditions ? [tooMany(path, patterns.length, maximumConditions)] : [];
  for (const [index, {type = '', status}] of patterns.entries()) {
    const at = path.index(index);
    faults.push(
      ...qualifiedNameFaults(type).map((detail) => invalid(at.child('type'), type, detail)),
      ...oneOf(status, statuses, at.child('status')),
    );
  }
  return faults;
}

function oneOf(value: string | undefined, supported: readonly string[], path: FieldPath): FieldError[] {
  return validateOneOf(value, supported, path, `valid values: [${supported.map((text) => JSON.stringify(text)).join(' ')}]`);
}

/** An error about a whole rule, without repeating the rule in the message. */
function bare(path: FieldPath, detail: string): FieldError {
  return {reason: 'FieldValueInvalid', field: path.toString(), body: `Invalid value: ${detail}`};
}
