import {forbiddenField, invalid, required, type FieldError} from '../errors/field-error.js';
import type {FieldPath} from '../errors/field-path.js';
import type {Unchecked} from '../objects/unchecked.js';
import {labelValueFaults} from '../values/name-formats.js';
import {qualifiedNameFaults} from '../values/qualified-name.js';
import type * as meta from '../types/meta/v1.js';
import {validateLabels} from './label-faults.js';

/** A label selector in an object: any member may be missing; both `matchLabels` and `matchExpressions` must match. */
export type LabelSelector = Unchecked<meta.LabelSelector>;
/** One expression of a selector: a key, an operator, values. */
export type LabelSelectorRequirement = Unchecked<meta.LabelSelectorRequirement>;

export interface LabelSelectorOptions {
  /** Stored objects may keep values that are invalid for labels. */
  readonly allowInvalidValues?: boolean;
  /** A question may have operators that only a newer client knows. */
  readonly allowUnknownOperators?: boolean;
}

/** Errors in a label selector; none if there is no selector. */
export function validateLabelSelector(
  selector: LabelSelector | undefined | null,
  path: FieldPath,
  options: LabelSelectorOptions = {},
): FieldError[] {
  if (!selector) return [];
  const faults = validateLabels(selector.matchLabels, path.child('matchLabels'));
  for (const [index, requirement] of (selector.matchExpressions ?? []).entries()) {
    faults.push(...validateLabelRequirement(requirement, path.child('matchExpressions').index(index), options));
  }
  return faults;
}

/** Errors in one expression of a selector. */
export function validateLabelRequirement(
  {key = '', operator = '', values = []}: LabelSelectorRequirement,
  path: FieldPath,
  options: LabelSelectorOptions = {},
): FieldError[] {
  const faults: FieldError[] = [];
  const valuesPath = path.child('values');
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) faults.push(required(valuesPath, "must be specified when `operator` is 'In' or 'NotIn'"));
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) faults.push(forbiddenField(valuesPath, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
  } else if (!options.allowUnknownOperators) {
    faults.push(invalid(path.child('operator'), operator, 'not a valid selector operator'));
  }
  for (const detail of qualifiedNameFaults(key)) faults.push(invalid(path.child('key'), key, detail));
  if (options.allowInvalidValues) return faults;
  for (const [index, value] of values.entries()) {
    for (const detail of labelValueFaults(value)) faults.push(invalid(valuesPath.index(index), value, detail));
  }
  return faults;
}

/** Whether a selector has no conditions. An absent selector counts as empty here; `selectorMatches` distinguishes the two. */
export function isEmptySelector(selector: LabelSelector | undefined | null): boolean {
  return !selector || (Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0);
}

/** `selectorMatches` for a selector that is compared with many labels, and does not change meanwhile. */
export function compileSelector(
  selector: LabelSelector | undefined | null,
): (labels: Readonly<Record<string, string>> | undefined) => boolean {
  if (!selector) return () => false;
  const wanted = Object.entries(selector.matchLabels ?? {});
  const requirements = selector.matchExpressions ?? [];
  return (labels = {}) =>
    wanted.every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value) &&
    requirements.every((requirement) => fulfils(requirement, labels));
}

/** Whether labels match a selector. An empty selector matches everything; an absent or invalid one matches nothing. */
export function selectorMatches(selector: LabelSelector | undefined | null, labels: Readonly<Record<string, string>> | undefined): boolean {
  if (!selector) return false;
  return (
    labelsMatch(selector.matchLabels, labels) &&
    (selector.matchExpressions ?? []).every((requirement) => fulfils(requirement, labels ?? {}))
  );
}

/** Whether labels contain all given entries, as required by the selectors of services and replication controllers. */
export function labelsMatch(
  wanted: Readonly<Record<string, string>> | undefined,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  for (const key in wanted) if (labels === undefined || !Object.hasOwn(labels, key) || labels[key] !== wanted[key]) return false;
  return true;
}

function fulfils({key = '', operator, values = []}: LabelSelectorRequirement, labels: Readonly<Record<string, string>>): boolean {
  const present = Object.hasOwn(labels, key);
  switch (operator) {
    case 'In':
      return present && values.includes(labels[key]!);
    case 'NotIn':
      return !present || !values.includes(labels[key]!);
    case 'Exists':
      return present;
    case 'DoesNotExist':
      return !present;
    default:
      return false;
  }
}
