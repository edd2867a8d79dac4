import {
  dnsSubdomainFaults,
  duplicate,
  FieldPath,
  forbiddenField,
  ifFound,
  inject,
  invalid,
  notSupported,
  required,
  strategy,
  Tokens,
  type FieldError,
  type ResourceClient,
  type ResourceRef,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {selectorText, validateLabelSelector} from '../../../sdk/labels/index.js';
import {pathSegmentFaults, sameValue, validateOneOf} from '../../../sdk/validation/index.js';
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../../sdk/types/unchecked/admissionregistration/v1alpha1.js';
import {matchResourcesFaults} from './match-resources-faults.js';
import {ParamAccess} from './param-access.js';

type Spec = NonNullable<ValidatingAdmissionPolicyBinding['spec']>;
type ParamRef = NonNullable<Spec['paramRef']>;

const specPath = FieldPath.of('spec');
const actions = ['Audit', 'Deny', 'Warn'];
const notFoundActions = ['Deny', 'Allow'];

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
    const faults = specFaults(spec, context.version);
    return faults.length > 0 ? faults : this.#accessFaults(spec, context);
  }

  async validateUpdate(
    {spec = {}}: ValidatingAdmissionPolicyBinding,
    old: ValidatingAdmissionPolicyBinding,
    context: StrategyContext,
  ): Promise<FieldError[]> {
    const faults = specFaults(spec, context.version);
    const isSame = sameValue(spec.paramRef, old.spec?.paramRef) && spec.policyName === old.spec?.policyName;
    return faults.length > 0 || isSame ? faults : this.#accessFaults(spec, context);
  }

  tableCells({apiVersion = '', spec}: ValidatingAdmissionPolicyBinding): Record<string, string> {
    const param = spec?.paramRef;
    return {ParamRef: param ? paramText(param, apiVersion) : '<unset>'};
  }

  async #accessFaults({paramRef, policyName = ''}: Spec, context: StrategyContext): Promise<FieldError[]> {
    if (!paramRef) return [];
    // In the version of the binding: both types have the same ones.
    const policies: ResourceRef = {group: 'admissionregistration.orch', version: context.version, resource: 'validatingadmissionpolicies'};
    const policy: ValidatingAdmissionPolicy | undefined = await ifFound(this.#resources.get(policies, '', policyName));
    return this.#params.referenceFaults(paramRef, policy?.spec?.paramKind, context);
  }
}

function specFaults({policyName = '', paramRef, matchResources, validationActions}: Spec, version: string): FieldError[] {
  const policyPath = specPath.child('policyName');
  const isFirst = version === 'v1alpha1';
  return [
    ...(isFirst || policyName === ''
      ? nameFaults(policyName, policyPath)
      : dnsSubdomainFaults(policyName).map((detail) => invalid(policyPath, policyName, detail))),
    ...(paramRef ? paramRefFaults(paramRef, specPath.child('paramRef'), isFirst) : []),
    ...(matchResources ? matchResourcesFaults(matchResources, specPath.child('matchResources')) : []),
    ...actionFaults(validationActions ?? [], specPath.child('validationActions'), isFirst),
  ];
}

/** @param isFirst of the alpha, where the name was all that there was */
function paramRefFaults({name = '', selector, parameterNotFoundAction}: ParamRef, path: FieldPath, isFirst: boolean): FieldError[] {
  if (isFirst && !selector && !parameterNotFoundAction) return nameFaults(name, path.child('name'));
  const exclusive = 'name and selector are mutually exclusive';
  const faults = name === '' ? [] : nameFaults(name, path.child('name'));
  if (name !== '' && selector) faults.push(forbiddenField(path.child('name'), exclusive));
  if (selector) faults.push(...validateLabelSelector(selector, path.child('selector')));
  if (name !== '' && selector) faults.push(forbiddenField(path.child('selector'), exclusive));
  if (name === '' && !selector) faults.push(required(path, 'one of name or selector must be specified'));
  return [...faults, ...validateOneOf(parameterNotFoundAction, notFoundActions, path.child('parameterNotFoundAction'))];
}

function actionFaults(given: readonly string[], path: FieldPath, isFirst: boolean): FieldError[] {
  const seen = new Set<string>();
  const faults = given.flatMap((action, index) => {
    const at = path.index(index);
    const found = actions.includes(action) ? [] : [notSupported(at, action, actions)];
    if (seen.has(action)) found.push(duplicate(at, action));
    seen.add(action);
    return found;
  });
  const both =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
  if (seen.has('Deny') && seen.has('Warn')) faults.push(invalid(path, given, both));
  if (seen.size === 0 && !isFirst) faults.push(required(path, 'at least one validation action is required'));
  return faults;
}

/** How tables name the parameters of a binding. */
function paramText({namespace = '', name = '', selector}: ParamRef, apiVersion: string): string {
  if (namespace !== '' && name !== '') return `${namespace}/${name}`;
  if (apiVersion.endsWith('/v1alpha1')) return namespace === '' ? name : `${namespace}/`;
  // Whether the parameters are in namespaces is not known here.
  return name === '' && selector ? selectorText(selector) : `*/${name}`;
}

function nameFaults(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [required(path)];
  return pathSegmentFaults(name).map((detail) => invalid(path, name, detail));
}
