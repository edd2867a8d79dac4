import {FieldPath, forbiddenField, invalid, required, type FieldError} from '../../../sdk/index.js';
import {validateLabelRequirement} from '../../../sdk/labels/index.js';
import type {SelfSubjectAccessReviewSpec} from '../../../sdk/types/unchecked/authorization/v1.js';

const path = FieldPath.of('spec', 'resourceAttributes');

interface Selector<Requirement> {
  readonly rawSelector?: string;
  readonly requirements?: readonly Requirement[] | null;
}

interface Requirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[] | null;
}

/** Errors in the selectors of a review, in Kubernetes' words. Operators that nobody knows are none: clients may be newer than the server. */
export function selectorFaults({resourceAttributes}: SelfSubjectAccessReviewSpec): FieldError[] {
  const {fieldSelector, labelSelector} = resourceAttributes ?? {};
  return [
    ...faultsOf(fieldSelector as Selector<Requirement> | undefined, path.child('fieldSelector'), fieldFaults),
    ...faultsOf(labelSelector as Selector<Requirement> | undefined, path.child('labelSelector'), labelFaults),
  ];
}

function faultsOf(
  selector: Selector<Requirement> | null | undefined,
  at: FieldPath,
  requirementFaults: (requirement: Requirement, at: FieldPath) => FieldError[],
): FieldError[] {
  if (!selector) return [];
  const {rawSelector = ''} = selector;
  const requirements = selector.requirements ?? [];
  const faults: FieldError[] = [];
  if (rawSelector !== '' && requirements.length > 0)
    faults.push(invalid(at.child('rawSelector'), rawSelector, 'may not specified at the same time as requirements'));
  if (rawSelector === '' && requirements.length === 0)
    faults.push(required(at.child('requirements'), `when ${at.toString()} is specified, requirements or rawSelector is required`));
  return [...faults, ...requirements.flatMap((one, index) => requirementFaults(one, at.child('requirements').index(index)))];
}

function fieldFaults({key = '', operator, values}: Requirement, at: FieldPath): FieldError[] {
  const faults = key === '' ? [required(at.child('key'), 'must be specified')] : [];
  const count = values?.length ?? 0;
  if ((operator === 'In' || operator === 'NotIn') && count === 0)
    faults.push(required(at.child('values'), "must be specified when `operator` is 'In' or 'NotIn'"));
  if ((operator === 'Exists' || operator === 'DoesNotExist') && count > 0)
    faults.push(forbiddenField(at.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
  return faults;
}

function labelFaults({key = '', operator = '', values}: Requirement, at: FieldPath): FieldError[] {
  return validateLabelRequirement({key, operator, values: [...(values ?? [])]}, at, {allowUnknownOperators: true});
}
