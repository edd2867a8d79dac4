import {
  inject,
  invalid,
  notSupported,
  required,
  strategy,
  type ApiObject,
  type FieldError,
  type FieldPath,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {sameValue, validateOneOf} from '../../../sdk/validation/index.js';
import type {MutatingAdmissionPolicy, Mutation} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {StaticNames} from '../../families/admission-matching/static-names.js';
import {ExpressionFaults, type PolicyExpressions} from './expression-faults.js';
import {ParamAccess} from './param-access.js';
import {paramKindText, policySpecFaults, specPath} from './policy-spec-faults.js';

type Spec = NonNullable<MutatingAdmissionPolicy['spec']>;

/** The member that has the expression, by type of patch. */
const patchMembers = {ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch'} as const;
type PatchType = keyof typeof patchMembers;
const patchTypes = Object.keys(patchMembers) as PatchType[];

const mutationsPath = specPath.child('mutations');

/** MutatingAdmissionPolicy: expressions that say how objects are changed. It takes effect when a binding refers to it. */
@strategy()
export class MutatingAdmissionPolicyStrategy implements ResourceStrategy<MutatingAdmissionPolicy> {
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

  async validateCreate(policy: MutatingAdmissionPolicy, context: StrategyContext): Promise<FieldError[]> {
    const {spec} = policy;
    const faults = [...(await this.#specFaults(spec ?? {}, undefined)), ...this.#names.faults(policy as ApiObject, context)];
    return faults.length > 0 ? faults : this.#params.kindFaults(spec?.paramKind, context);
  }

  async validateUpdate(
    policy: MutatingAdmissionPolicy,
    {spec: old}: MutatingAdmissionPolicy,
    context: StrategyContext,
  ): Promise<FieldError[]> {
    const {spec} = policy;
    this.#names.warn(policy as ApiObject, context);
    const faults = await this.#specFaults(spec ?? {}, old ?? {});
    // A user who changes only other fields does not need the permissions of the policy's author.
    return faults.length > 0 || sameValue(spec?.paramKind, old?.paramKind) ? faults : this.#params.kindFaults(spec?.paramKind, context);
  }

  tableCells({spec}: MutatingAdmissionPolicy): Record<string, string | number> {
    return {Mutations: (spec?.mutations ?? []).length, ParamKind: paramKindText(spec?.paramKind)};
  }

  async #specFaults(spec: Spec, old: Spec | undefined): Promise<FieldError[]> {
    const all = this.#expressions;
    // There are always variables, even if there is none (as in Kubernetes).
    const ofPolicy = await all.ofPolicy(Boolean(spec.paramKind), true);
    const faults = await policySpecFaults(spec, old, {all, ofPolicy, isMutating: true});
    const mutations = spec.mutations ?? [];
    if (mutations.length === 0) faults.push(required(mutationsPath, 'mutations must contain at least one item'));
    for (const [index, mutation] of mutations.entries())
      faults.push(...(await mutationFaults(mutation, mutationsPath.index(index), ofPolicy)));
    return [...faults, ...validateOneOf(spec.reinvocationPolicy, ['IfNeeded', 'Never'], specPath.child('reinvocationPolicy'))];
  }
}

/** Errors in a mutation. */
async function mutationFaults(mutation: Mutation, path: FieldPath, expressions: PolicyExpressions): Promise<FieldError[]> {
  const {patchType = ''} = mutation;
  const typePath = path.child('patchType');
  if (patchType === '') return [required(typePath)];
  if (!isPatchType(patchType)) return [notSupported(typePath, patchType, patchTypes)];
  const member = patchMembers[patchType];
  const other = patchMembers[patchType === 'JSONPatch' ? 'ApplyConfiguration' : 'JSONPatch'];
  const given = mutation[member];
  const text = given?.expression?.trim() ?? '';
  const expressionPath = path.child(member, 'expression');
  return [
    ...(given ? [] : [required(path.child(member), `must be specified when patchType is ${patchType}`)]),
    ...(given && text === '' ? [required(expressionPath)] : []),
    ...(await expressions.faults({path: expressionPath, text, type: member})),
    ...(mutation[other] ? [invalid(path.child(other), `{${other}}`, `must not be specified when patchType is ${patchType}`)] : []),
  ];
}

function isPatchType(text: string): text is PatchType {
  return Object.hasOwn(patchMembers, text);
}
