import {
  ExpressionError,
  taskOf,
  type Expressions,
  type NamingProfile,
  type ResourceClient,
  type ServedResource,
  type ServedSchemas,
} from '../../../sdk/index.js';
import type {ExpressionWarning, ValidatingAdmissionPolicy} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {paramType} from '../../families/admission-policies/param-type.js';
import {PolicyScopes, type ScopeTypes} from '../../families/admission-policies/policy-scopes.js';
import {PolicyVariables} from '../../families/admission-policies/policy-variables.js';
import {matchedTypes} from './matched-types.js';

type Spec = NonNullable<ValidatingAdmissionPolicy['spec']>;

/** Maximum characters of the warnings of one expression: each type has its own, and they quote it. */
const longest = 10_000;

/** What is checked against one type. */
interface Check {
  readonly type: ServedResource;
  readonly scopes: PolicyScopes;
  readonly variables: PolicyVariables;
}

/** Checks the expressions of policies against the types that their rules name, in the words of Kubernetes. */
export class TypeChecks {
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;
  readonly #expressions: Expressions;
  readonly #schemas: ServedSchemas;

  constructor(resources: ResourceClient, naming: NamingProfile, expressions: Expressions, schemas: ServedSchemas) {
    this.#resources = resources;
    this.#naming = naming;
    this.#expressions = expressions;
    this.#schemas = schemas;
  }

  /** One warning for each validation or message that does not fit one of the types. */
  async warningsOf(spec: Spec): Promise<ExpressionWarning[]> {
    const checks = await this.#checksOf(spec);
    if (checks.length === 0) return [];
    const task = taskOf(this.#resources, 'background', 'type checks of a policy');
    const warnings: ExpressionWarning[] = [];
    for (const [index, {expression = '', messageExpression = ''}] of (spec.validations ?? []).entries()) {
      const path = `spec.validations[${index}]`;
      for (const [member, text] of [
        ['expression', expression],
        ['messageExpression', messageExpression],
      ] as const) {
        if (member === 'messageExpression' && text === '') continue;
        const found: string[] = [];
        for (const check of checks) {
          const waiting = task.yieldIfDue();
          if (waiting) await waiting;
          const problem = problemOf(check, text, Boolean(spec.paramKind));
          if (problem !== undefined) found.push(problem);
        }
        if (found.length > 0) warnings.push({fieldRef: `${path}.${member}`, warning: found.join('\n').slice(0, longest)});
      }
    }
    return warnings;
  }

  async #checksOf(spec: Spec): Promise<Check[]> {
    const {paramKind, matchConstraints, variables} = spec;
    const ofParams = paramKind && paramType(this.#resources, this.#naming, paramKind);
    const params = ofParams && this.#schemas.of(ofParams);
    const checks: Check[] = [];
    for (const type of matchedTypes(matchConstraints?.resourceRules ?? [], this.#resources.resources())) {
      const object = this.#schemas.of(type);
      if (!object) continue;
      const scopes = await PolicyScopes.load(this.#expressions, {object, params} satisfies ScopeTypes);
      checks.push({type, scopes, variables: new PolicyVariables(variables ?? [], scopes, Boolean(paramKind))});
    }
    return checks;
  }
}

/** What an expression has against a type. */
function problemOf({type, scopes, variables}: Check, text: string, hasParams: boolean): string | undefined {
  const compiled = scopes.compile(text, 'any', {hasParams, hasAuthorizer: true, variables: variables.types});
  if (!ExpressionError.is(compiled)) return undefined;
  const {group, version, kind} = type;
  return `${group}/${version}, Kind=${kind}: ${compiled.message.replace(/^compilation failed: /, '')}\n`;
}
