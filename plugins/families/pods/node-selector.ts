import {
  dnsSubdomainFaults,
  forbiddenField,
  invalid,
  labelValueFaults,
  qualifiedNameFaults,
  required,
  type FieldError,
  type FieldPath,
} from '../../../sdk/index.js';
import {invalidFor} from '../../../sdk/validation/index.js';
import type {NodeSelector, NodeSelectorRequirement, NodeSelectorTerm} from '../../../sdk/types/unchecked/core/v1.js';

/** Errors in a required node selector: it needs at least one term. */
export function validateNodeSelector({nodeSelectorTerms}: NodeSelector, path: FieldPath): FieldError[] {
  const at = path.child('nodeSelectorTerms');
  if (!nodeSelectorTerms?.length) return [required(at, 'must have at least one node selector term')];
  return nodeSelectorTerms.flatMap((term, index) => validateNodeSelectorTerm(term, at.index(index)));
}

/** Errors in a required node selector whose values must be some that labels can have: none of another form would ever be found. */
export function validateStrictNodeSelector(selector: NodeSelector, path: FieldPath): FieldError[] {
  const terms = (selector.nodeSelectorTerms ?? []).map(({matchExpressions}) => matchExpressions ?? []);
  const ofValues = terms.flatMap((expressions, term) =>
    expressions.flatMap(({values}, index) =>
      (values ?? []).flatMap((value, position) => {
        const at = path.child('nodeSelectorTerms').index(term).child('matchExpressions').index(index).child('values').index(position);
        return invalidFor(at, value, labelValueFaults(value));
      }),
    ),
  );
  return [...validateNodeSelector(selector, path), ...ofValues];
}

/** Errors in one term. */
export function validateNodeSelectorTerm({matchExpressions, matchFields}: NodeSelectorTerm, path: FieldPath): FieldError[] {
  return [
    ...(matchExpressions ?? []).flatMap((requirement, index) =>
      validateExpression(requirement, path.child('matchExpressions').index(index)),
    ),
    ...(matchFields ?? []).flatMap((requirement, index) => validateField(requirement, path.child('matchFields').index(index))),
  ];
}

function validateExpression({key = '', operator = '', values = []}: NodeSelectorRequirement, path: FieldPath): FieldError[] {
  return [...operatorFaults(operator, values ?? [], path), ...invalidFor(path.child('key'), key, qualifiedNameFaults(key))];
}

function operatorFaults(operator: string, values: readonly string[], path: FieldPath): FieldError[] {
  const at = path.child('values');
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0 ? [] : [required(at, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0 ? [] : [forbiddenField(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case 'Gt':
    case 'Lt':
      return values.length === 1 ? [] : [required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalid(path.child('operator'), operator, 'not a valid selector operator')];
  }
}

function validateField({key = '', operator = '', values = []}: NodeSelectorRequirement, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  if (operator !== 'In' && operator !== 'NotIn') faults.push(invalid(path.child('operator'), operator, 'not a valid selector operator'));
  else if (values.length !== 1)
    faults.push(required(path.child('values'), "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"));
  if (key !== 'metadata.name') return [...faults, invalid(path.child('key'), key, 'not a valid field selector key')];
  return [...faults, ...values.flatMap((value, index) => invalidFor(path.child('values').index(index), value, dnsSubdomainFaults(value)))];
}
