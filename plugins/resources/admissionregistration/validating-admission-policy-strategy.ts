import {
  inject,
  invalid,
  required,
  strategy,
  notSupported,
  type ExpressionType,
  type FieldError,
  type FieldPath,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {ValidatingAdmissionPolicy, Validation} from '../../../sdk/types/unchecked/admissionregistration/v1alpha1.js';
import {ExpressionFaults, type PolicyExpression} from './expression-faults.js';
import {ParamAccess} from './param-access.js';
import {auditAnnotationFaults, maximumValueExpression, policyStatusFaults} from './policy-member-faults.js';
import {paramKindText, policySpecFaults, specPath} from './policy-spec-faults.js';

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const lineBreak = /[\r\n]/;

type Spec = NonNullable<ValidatingAdmissionPolicy['spec']>;

const validationsPath = specPath.child('validations');
const annotationsPath = specPath.child('auditAnnotations');

/** ValidatingAdmissionPolicy: expressions that objects must satisfy. It takes effect when a binding refers to it. */
@strategy()
export class ValidatingAdmissionPolicyStrategy implements ResourceStrategy<ValidatingAdmissionPolicy> {
  readonly #params: ParamAccess;
  readonly #expressions: ExpressionFaults;

  constructor(@inject(ParamAccess) params: ParamAccess, @inject(ExpressionFaults) expressions: ExpressionFaults) {
    this.#params = params;
    this.#expressions = expressions;
  }

  prepareForCreate(policy: ValidatingAdmissionPolicy): void {
    delete policy.status;
  }

  prepareForUpdate(policy: ValidatingAdmissionPolicy, old: ValidatingAdmissionPolicy, {subresource}: StrategyContext): void {
    if (subresource === 'status') return;
    if (old.status === undefined) delete policy.status;
    else policy.status = old.status;
  }

  async validateCreate({metadata, spec = {}}: ValidatingAdmissionPolicy, context: StrategyContext): Promise<FieldError[]> {
    const faults = await specFaults(metadata.name ?? '', spec, undefined, this.#expressions, context.version);
    return faults.length > 0 ? faults : this.#params.kindFaults(spec.paramKind, context);
  }

  async validateUpdate(
    {metadata, spec = {}, status}: ValidatingAdmissionPolicy,
    old: ValidatingAdmissionPolicy,
    context: StrategyContext,
  ): Promise<FieldError[]> {
    if (context.subresource === 'status') return policyStatusFaults(status);
    const faults = await specFaults(metadata.name ?? '', spec, old.spec ?? {}, this.#expressions, context.version);
    // A user who changes only other fields does not need the permissions of the policy's author.
    return faults.length > 0 || sameValue(spec.paramKind, old.spec?.paramKind) ? faults : this.#params.kindFaults(spec.paramKind, context);
  }

  tableCells({spec}: ValidatingAdmissionPolicy): Record<string, string | number> {
    return {Validations: (spec?.validations ?? []).length, ParamKind: paramKindText(spec?.paramKind)};
  }
}

async function specFaults(
  name: string,
  spec: Spec,
  old: Spec | undefined,
  expressions: ExpressionFaults,
  version: string,
): Promise<FieldError[]> {
  const validations = spec.validations ?? [];
  const annotations = spec.auditAnnotations ?? [];
  const variables = spec.variables ?? [];
  const isEmpty = validations.length === 0 && annotations.length === 0;
  return [
    ...(await policySpecFaults(spec, old, expressions, false)),
    ...(isEmpty ? emptyFaults(version) : []),
    ...validations.flatMap((validation, index) => policyValidationFaults(validation, validationsPath.index(index), version)),
    ...auditAnnotationFaults(name, annotations, annotationsPath),
    ...(await expressions.of(expressionsOf(spec), Boolean(spec.paramKind), variables.length > 0)),
  ];
}

function emptyFaults(version: string): FieldError[] {
  // The first alpha had nothing else than validations.
  if (version === 'v1alpha1') return [required(validationsPath)];
  const detail = 'validations or auditAnnotations must contain at least one item';
  return [required(validationsPath, detail), required(annotationsPath, detail)];
}

/** Everything in a policy that has to compile, except its match conditions. */
function expressionsOf({variables, validations, auditAnnotations}: Spec): PolicyExpression[] {
  const at = <T>(list: readonly T[] | null | undefined, path: FieldPath, member: keyof T & string, type: ExpressionType) =>
    (list ?? []).map((item, index) => ({
      path: path.index(index).child(member),
      text: (item[member] as string | undefined) ?? '',
      type,
      composed: true,
    }));
  return [
    ...at(variables, specPath.child('variables'), 'expression', 'any'),
    ...at(validations, validationsPath, 'expression', 'bool'),
    ...at(validations, validationsPath, 'messageExpression', 'string'),
    ...at(auditAnnotations, annotationsPath, 'valueExpression', 'any').filter(({text}) => text.trim().length <= maximumValueExpression),
  ];
}

/** Errors in one validation of a policy, except those in the expression itself. */
function policyValidationFaults(
  {expression = '', message = '', messageExpression = '', reason}: Validation,
  path: FieldPath,
  version: string,
): FieldError[] {
  const messagePath = path.child('message');
  const faults: FieldError[] = [];
  if (expression.trim() === '') faults.push(required(path.child('expression'), 'expression is not specified'));
  if (messageExpression !== '' && messageExpression.trim() === '')
    faults.push(invalid(path.child('messageExpression'), messageExpression, 'must be non-empty if specified'));
  const what = version === 'v1alpha1' ? 'message must' : 'must';
  if (message !== '' && message.trim() === '') faults.push(invalid(messagePath, message, `${what} be non-empty if specified`));
  else if (lineBreak.test(message.trim())) faults.push(invalid(messagePath, message, `${what} not contain line breaks`));
  else if (version === 'v1alpha1' && message === '' && lineBreak.test(expression.trim()))
    faults.push(required(messagePath, 'message must be specified if expression contains line breaks'));
  if (reason !== undefined && reason !== null && !reasons.includes(reason))
    faults.push(notSupported(path.child('reason'), reason, reasons));
  return faults;
}
