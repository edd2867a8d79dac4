import {
  dns1035LabelFaults,
  dnsSubdomainFaults,
  FieldPath,
  inject,
  invalid,
  parseApiVersion,
  required,
  strategy,
  notSupported,
  type FieldError,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {sameValue, validateOneOf} from '../../../sdk/validation/index.js';
import type {MatchResources, ValidatingAdmissionPolicy, Validation} from '../../../sdk/types/unchecked/admissionregistration/v1alpha1.js';
import {ExpressionFaults} from './expression-faults.js';
import {matchResourcesFaults} from './match-resources-faults.js';
import {ParamAccess} from './param-access.js';

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const lineBreak = /[\r\n]/;

type Spec = NonNullable<ValidatingAdmissionPolicy['spec']>;

const specPath = FieldPath.of('spec');
const paramPath = specPath.child('paramKind');
const constraintsPath = specPath.child('matchConstraints');
const validationsPath = specPath.child('validations');

/** ValidatingAdmissionPolicy: expressions that objects must satisfy. It takes effect when a binding refers to it. */
@strategy()
export class ValidatingAdmissionPolicyStrategy implements ResourceStrategy<ValidatingAdmissionPolicy> {
  readonly #params: ParamAccess;
  readonly #expressions: ExpressionFaults;

  constructor(@inject(ParamAccess) params: ParamAccess, @inject(ExpressionFaults) expressions: ExpressionFaults) {
    this.#params = params;
    this.#expressions = expressions;
  }

  async validateCreate({spec = {}}: ValidatingAdmissionPolicy, context: StrategyContext): Promise<FieldError[]> {
    const faults = await specFaults(spec, this.#expressions);
    return faults.length > 0 ? faults : this.#params.kindFaults(spec.paramKind, context);
  }

  async validateUpdate(
    {spec = {}}: ValidatingAdmissionPolicy,
    old: ValidatingAdmissionPolicy,
    context: StrategyContext,
  ): Promise<FieldError[]> {
    const faults = await specFaults(spec, this.#expressions);
    // A user who changes only other fields does not need the permissions of the policy's author.
    return faults.length > 0 || sameValue(spec.paramKind, old.spec?.paramKind) ? faults : this.#params.kindFaults(spec.paramKind, context);
  }

  tableCells({spec}: ValidatingAdmissionPolicy): Record<string, string | number> {
    const param = spec?.paramKind;
    return {
      Validations: (spec?.validations ?? []).length,
      ParamKind: param ? `${param.apiVersion ?? ''}/${param.kind ?? ''}` : '<unset>',
    };
  }
}

async function specFaults(spec: Spec, expressions: ExpressionFaults): Promise<FieldError[]> {
  const validations = spec.validations ?? [];
  return [
    ...validateOneOf(spec.failurePolicy, ['Fail', 'Ignore'], specPath.child('failurePolicy')),
    ...(spec.paramKind ? paramKindFaults(spec.paramKind) : []),
    ...constraintFaults(spec.matchConstraints),
    ...(validations.length === 0 ? [required(validationsPath)] : []),
    ...validations.flatMap((validation, index) => policyValidationFaults(validation, validationsPath.index(index))),
    ...(validations.length === 0 ? [] : await expressions.of(validations, Boolean(spec.paramKind), validationsPath)),
  ];
}

function constraintFaults(constraints: MatchResources | undefined): FieldError[] {
  if (!constraints) return [required(constraintsPath)];
  const faults = matchResourcesFaults(constraints, constraintsPath);
  // Expressions are checked against the types of the selected resources.
  if (!constraints.resourceRules?.length) faults.push(required(constraintsPath.child('resourceRules')));
  return faults;
}

function paramKindFaults({apiVersion = '', kind = ''}: NonNullable<Spec['paramKind']>): FieldError[] {
  const kindPath = paramPath.child('kind');
  const faults = apiVersionFaults(apiVersion);
  if (kind === '') return [...faults, required(kindPath)];
  const details = dns1035LabelFaults(kind.toLowerCase());
  if (details.length > 0) faults.push(invalid(kindPath, kind, `may have mixed case, but should otherwise match: ${details.join(',')}`));
  return faults;
}

function apiVersionFaults(apiVersion: string): FieldError[] {
  const path = paramPath.child('apiVersion');
  if (apiVersion === '') return [required(path)];
  const parsed = parseApiVersion(apiVersion);
  if (!parsed) return [invalid(path, apiVersion, 'must be VERSION or GROUP/VERSION')];
  const groupDetails = parsed.group === '' ? [] : dnsSubdomainFaults(parsed.group);
  const versionDetails = dns1035LabelFaults(parsed.version);
  return [
    ...(groupDetails.length > 0 ? [invalid(path, parsed.group, groupDetails.join(','))] : []),
    ...(versionDetails.length > 0 ? [invalid(path, parsed.version, versionDetails.join(','))] : []),
  ];
}

/** Errors in one validation of a policy, except those in the expression itself. */
function policyValidationFaults({expression = '', message = '', reason}: Validation, path: FieldPath): FieldError[] {
  const messagePath = path.child('message');
  const faults: FieldError[] = [];
  if (expression.trim() === '') faults.push(required(path.child('expression'), 'expression is not specified'));
  if (message !== '' && message.trim() === '') faults.push(invalid(messagePath, message, 'message must be non-empty if specified'));
  else if (lineBreak.test(message.trim())) faults.push(invalid(messagePath, message, 'message must not contain line breaks'));
  else if (message === '' && lineBreak.test(expression.trim()))
    faults.push(required(messagePath, 'message must be specified if expression contains line breaks'));
  if (reason !== undefined && reason !== null && !reasons.includes(reason))
    faults.push(notSupported(path.child('reason'), reason, reasons));
  return faults;
}
