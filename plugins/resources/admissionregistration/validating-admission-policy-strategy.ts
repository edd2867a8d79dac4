import {
  inject,
  invalid,
  required,
  strategy,
  notSupported,
  type ApiObject,
  type FieldError,
  type FieldPath,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {ValidatingAdmissionPolicy, Validation} from '../../../sdk/types/unchecked/admissionregistration/v1alpha1.js';
import {StaticNames} from '../../families/admission-matching/static-names.js';
import {ExpressionFaults, type PolicyExpressions} from './expression-faults.js';
import {ParamAccess} from './param-access.js';
import {auditAnnotationFaults, policyStatusFaults} from './policy-member-faults.js';
import {paramKindText, policySpecFaults, specPath} from './policy-spec-faults.js';

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const lineBreak = /[\r\n]/;

type Spec = NonNullable<ValidatingAdmissionPolicy['spec']>;

const validationsPath = specPath.child('validations');
const annotationsPath = specPath.child('auditAnnotations');

/** ValidatingAdmissionPolicy: expressions that objects must satisfy. It takes effect when a binding refers to it. */
@strategy()
export class ValidatingAdmissionPolicyStrategy implements ResourceStrategy<ValidatingAdmissionPolicy> {
  readonly #names: StaticNames;
  readonly #params: ParamAccess;
  readonly #expressions: ExpressionFaults;

  constructor(
    @inject(ParamAccess) params: ParamAccess,
    @inject(ExpressionFaults) expressions: ExpressionFaults,
    @inject(StaticNames) names: StaticNames,
  ) {
    this.#names = names;
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

  async validateCreate(policy: ValidatingAdmissionPolicy, context: StrategyContext): Promise<FieldError[]> {
    const {metadata, spec = {}} = policy;
    const faults = await specFaults(metadata.name ?? '', spec, undefined, this.#expressions, context.version);
    faults.push(...this.#names.faults(policy as ApiObject, context));
    return faults.length > 0 ? faults : this.#params.kindFaults(spec.paramKind, context);
  }

  async validateUpdate(
    {metadata, spec = {}, status}: ValidatingAdmissionPolicy,
    old: ValidatingAdmissionPolicy,
    context: StrategyContext,
  ): Promise<FieldError[]> {
    if (context.subresource === 'status') return policyStatusFaults(status);
    this.#names.warn({metadata} as ApiObject, context);
    const faults = await specFaults(metadata.name ?? '', spec, old.spec ?? {}, this.#expressions, context.version);
    // A user who changes only other fields does not need the permissions of the policy's author.
    return faults.length > 0 || sameValue(spec.paramKind, old.spec?.paramKind) ? faults : this.#params.kindFaults(spec.paramKind, context);
  }

  tableCells({spec}: ValidatingAdmissionPolicy): Record<string, string | number> {
    return {Validations: (spec?.validations ?? []).length, ParamKind: paramKindText(spec?.paramKind)};
  }
}

async function specFaults(name: string, spec: Spec, old: Spec | undefined, all: ExpressionFaults, version: string): Promise<FieldError[]> {
  const validations = spec.validations ?? [];
  const annotations = spec.auditAnnotations ?? [];
  const ofPolicy = await all.ofPolicy(Boolean(spec.paramKind), (spec.variables ?? []).length > 0);
  const faults = await policySpecFaults(spec, old, {all, ofPolicy, isMutating: false});
  if (validations.length === 0 && annotations.length === 0) return [...faults, ...emptyFaults(version)];
  for (const [index, validation] of validations.entries())
    faults.push(...(await policyValidationFaults(validation, validationsPath.index(index), ofPolicy, version)));
  return [...faults, ...(await auditAnnotationFaults(name, annotations, annotationsPath, ofPolicy))];
}

function emptyFaults(version: string): FieldError[] {
  // The first alpha had nothing else than validations.
  if (version === 'v1alpha1') return [required(validationsPath)];
  const detail = 'validations or auditAnnotations must contain at least one item';
  return [required(validationsPath, detail), required(annotationsPath, detail)];
}

/** Errors in one validation of a policy. */
async function policyValidationFaults(
  {expression = '', message = '', messageExpression = '', reason}: Validation,
  path: FieldPath,
  expressions: PolicyExpressions,
  version: string,
): Promise<FieldError[]> {
  const [expressionPath, messagePath, computedPath] = [path.child('expression'), path.child('message'), path.child('messageExpression')];
  const faults: FieldError[] = [];
  if (expression.trim() === '') faults.push(required(expressionPath, 'expression is not specified'));
  else faults.push(...(await expressions.faults({path: expressionPath, text: expression, type: ['bool']})));
  if (messageExpression !== '' && messageExpression.trim() === '')
    faults.push(invalid(computedPath, messageExpression, 'must be non-empty if specified'));
  else faults.push(...(await expressions.faults({path: computedPath, text: messageExpression, type: ['string'], hasAuthorizer: false})));
  const what = expressions.hasShortDetails ? 'must' : 'message must';
  if (message !== '' && message.trim() === '') faults.push(invalid(messagePath, message, `${what} be non-empty if specified`));
  else if (lineBreak.test(message.trim())) faults.push(invalid(messagePath, message, `${what} not contain line breaks`));
  else if (version === 'v1alpha1' && message === '' && lineBreak.test(expression.trim()))
    faults.push(required(messagePath, 'message must be specified if expression contains line breaks'));
  if (reason !== undefined && reason !== null && !reasons.includes(reason))
    faults.push(notSupported(path.child('reason'), reason, reasons));
  return faults;
}
