import {
  FieldPath,
  ifFound,
  inject,
  invalid,
  required,
  strategy,
  Tokens,
  type FieldError,
  type ResourceClient,
  type ResourceRef,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {pathSegmentFaults, sameValue} from '../../../sdk/validation/index.js';
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../../sdk/types/unchecked/admissionregistration/v1alpha1.js';
import {matchResourcesFaults} from './match-resources-faults.js';
import {ParamAccess} from './param-access.js';

type Spec = NonNullable<ValidatingAdmissionPolicyBinding['spec']>;

const policies: ResourceRef = {group: 'admissionregistration.orch', version: 'v1alpha1', resource: 'validatingadmissionpolicies'};
const specPath = FieldPath.of('spec');

/** ValidatingAdmissionPolicyBinding: activates a policy, with parameters and for some of the resources that the policy selects. */
@strategy()
export class ValidatingAdmissionPolicyBindingStrategy implements ResourceStrategy<ValidatingAdmissionPolicyBinding> {
  readonly #params: ParamAccess;
  readonly #resources: ResourceClient;

  constructor(@inject(ParamAccess) params: ParamAccess, @inject(Tokens.Resources) resources: ResourceClient) {
    this.#params = params;
    this.#resources = resources;
  }

  async validateCreate({spec = {}}: ValidatingAdmissionPolicyBinding, context: StrategyContext): Promise<FieldError[]> {
    const faults = specFaults(spec);
    return faults.length > 0 ? faults : this.#accessFaults(spec, context);
  }

  async validateUpdate(
    {spec = {}}: ValidatingAdmissionPolicyBinding,
    old: ValidatingAdmissionPolicyBinding,
    context: StrategyContext,
  ): Promise<FieldError[]> {
    const faults = specFaults(spec);
    const isSame = sameValue(spec.paramRef, old.spec?.paramRef) && spec.policyName === old.spec?.policyName;
    return faults.length > 0 || isSame ? faults : this.#accessFaults(spec, context);
  }

  tableCells({spec}: ValidatingAdmissionPolicyBinding): Record<string, string> {
    const param = spec?.paramRef;
    const paramText = param?.namespace ? `${param.namespace}/${param.name ?? ''}` : (param?.name ?? '');
    return {ParamRef: param ? paramText : '<unset>'};
  }

  async #accessFaults({paramRef, policyName = ''}: Spec, context: StrategyContext): Promise<FieldError[]> {
    if (!paramRef) return [];
    const policy: ValidatingAdmissionPolicy | undefined = await ifFound(this.#resources.get(policies, '', policyName));
    return this.#params.referenceFaults(paramRef, policy?.spec?.paramKind, context);
  }
}

function specFaults({policyName = '', paramRef, matchResources}: Spec): FieldError[] {
  const faults = nameFaults(policyName, specPath.child('policyName'));
  if (paramRef) faults.push(...nameFaults(paramRef.name ?? '', specPath.child('paramRef', 'name')));
  if (matchResources) faults.push(...matchResourcesFaults(matchResources, specPath.child('matchResources')));
  return faults;
}

function nameFaults(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [required(path)];
  return pathSegmentFaults(name).map((detail) => invalid(path, name, detail));
}
