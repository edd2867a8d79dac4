import {duplicate, FieldPath, invalid, qualifiedNameFaults, required, type FieldError} from '../../../sdk/index.js';
import {validateConditions} from '../../../sdk/validation/index.js';
import type {
  AuditAnnotation,
  ValidatingAdmissionPolicyStatus,
  Variable,
} from '../../../sdk/types/unchecked/admissionregistration/v1alpha1.js';
import type {PolicyExpressions} from './expression-faults.js';

/** Kubernetes' limit for a policy. */
const maximumAnnotations = 20;
/** Bytes of the expression of an audit annotation. */
const maximumValueExpression = 5 * 1024;

const identifier = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

/** Whether expressions can use it as a name. */
function isIdentifier(name: string): boolean {
  return identifier.test(name) && !reserved.has(name);
}

/** Errors in a variable of a policy. */
export async function variableFaults(
  {name = '', expression = ''}: Variable,
  path: FieldPath,
  expressions: PolicyExpressions,
): Promise<FieldError[]> {
  const faults: FieldError[] = [];
  if (name.trim() === '') faults.push(required(path.child('name'), 'name is not specified'));
  else if (!isIdentifier(name))
    faults.push(invalid(path.child('name'), name, `${expressions.hasShortDetails ? 'must be' : 'name is not'} a valid CEL identifier`));
  const at = path.child('expression');
  if (expression.trim() === '') return [...faults, required(at, 'expression is not specified')];
  return [...faults, ...(await expressions.faults({path: at, text: expression, type: 'any', defines: name}))];
}

/** Errors in what a policy adds to audit events. @param policy its name */
export async function auditAnnotationFaults(
  policy: string,
  annotations: readonly AuditAnnotation[],
  path: FieldPath,
  expressions: PolicyExpressions,
): Promise<FieldError[]> {
  const seen = new Set<string>();
  const faults =
    annotations.length > maximumAnnotations
      ? [invalid(path, annotations, `must not have more than ${maximumAnnotations} auditAnnotations`)]
      : [];
  for (const [index, {key = '', valueExpression = ''}] of annotations.entries()) {
    const at = path.index(index);
    const keyPath = at.child('key');
    if (policy === '') faults.push(invalid(keyPath, key, 'requires metadata.name be non-empty'));
    else faults.push(...qualifiedNameFaults(`${policy}/${key}`).map((detail) => invalid(keyPath, `${policy}/${key}`, detail)));
    faults.push(...(await valueExpressionFaults(valueExpression, at.child('valueExpression'), expressions)));
    if (seen.has(key)) faults.push(duplicate(keyPath, key));
    seen.add(key);
  }
  return faults;
}

async function valueExpressionFaults(expression: string, path: FieldPath, expressions: PolicyExpressions): Promise<FieldError[]> {
  const text = expression.trim();
  const length = Buffer.byteLength(text);
  if (length === 0) return [required(path, 'valueExpression is not specified')];
  if (length > maximumValueExpression) return [required(path, `must not exceed ${maximumValueExpression} bytes in length`)];
  return expressions.faults({path, text, shown: expression, type: ['string', 'null']});
}

/** Errors in the status of a policy. */
export function policyStatusFaults({typeChecking, conditions}: ValidatingAdmissionPolicyStatus = {}): FieldError[] {
  const path = FieldPath.of('status');
  const warningsPath = path.child('typeChecking', 'expressionWarnings');
  return [
    ...(typeChecking?.expressionWarnings ?? []).flatMap(({warning = '', fieldRef = ''}, index) => [
      ...(warning === '' ? [required(warningsPath.index(index).child('warning'))] : []),
      ...(fieldRef.trim() === '' ? [required(warningsPath.index(index).child('fieldRef'))] : []),
    ]),
    ...validateConditions(conditions ?? [], path.child('conditions')),
  ];
}
