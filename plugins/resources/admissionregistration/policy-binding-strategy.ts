import {
  dnsSubdomainFaults,
  forbiddenField,
  ifFound,
  invalid,
  required,
  type ApiObject,
  type FieldError,
  type FieldPath,
  type ResourceClient,
  type ResourceRef,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {selectorText, validateLabelSelector} from '../../../sdk/labels/index.js';
import {isGiven, pathSegmentFaults, sameValue, validateOneOf} from '../../../sdk/validation/index.js';
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ParamRef,
} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import type {StaticNames} from '../../families/admission-matching/static-names.js';
import {matchResourcesFaults} from './match-resources-faults.js';
import type {ParamAccess} from './param-access.js';
import {specPath} from './policy-spec-faults.js';

type Spec = NonNullable<MutatingAdmissionPolicyBinding['spec']>;

const notFoundActions = ['Deny', 'Allow'];

/** What bindings of all kinds of policies have in common: which policy, with which parameters, for which requests. */
export abstract class PolicyBindingStrategy<T extends MutatingAdmissionPolicyBinding> implements ResourceStrategy<T> {
  /** The type of the policies. */
  protected abstract readonly policies: string;
  readonly #names: StaticNames;
  readonly #params: ParamAccess;
  readonly #resources: ResourceClient;

  constructor(params: ParamAccess, resources: ResourceClient, names: StaticNames) {
    this.#names = names;
    this.#params = params;
    this.#resources = resources;
  }

  async validateCreate(binding: T, context: StrategyContext): Promise<FieldError[]> {
    const {spec} = binding;
    const faults = [...this.#specFaults(spec ?? {}, context), ...this.#names.faults(binding as unknown as ApiObject, context)];
    return faults.length > 0 ? faults : this.#accessFaults(spec ?? {}, context);
  }

  async validateUpdate(binding: T, old: T, context: StrategyContext): Promise<FieldError[]> {
    const {spec} = binding;
    this.#names.warn(binding as unknown as ApiObject, context);
    const faults = this.#specFaults(spec ?? {}, context);
    const isSame = sameValue(spec?.paramRef, old.spec?.paramRef) && spec?.policyName === old.spec?.policyName;
    return faults.length > 0 || isSame ? faults : this.#accessFaults(spec ?? {}, context);
  }

  tableCells({apiVersion = '', spec}: T): Record<string, string> {
    const param = spec?.paramRef;
    return {ParamRef: param ? paramText(param, this.isFirstAlpha(apiVersion)) : '<unset>'};
  }

  /** Whether the version is an alpha in which params are only named. */
  protected abstract isFirstAlpha(version: string): boolean;

  /** Errors in what only these bindings have. */
  protected abstract ownFaults(spec: T['spec'], context: StrategyContext): FieldError[];

  #specFaults(spec: Spec, context: StrategyContext): FieldError[] {
    const {policyName = '', paramRef, matchResources} = spec;
    const policyPath = specPath.child('policyName');
    const isFirst = this.isFirstAlpha(context.version);
    return [
      ...(policyName === ''
        ? [required(policyPath)]
        : dnsSubdomainFaults(policyName).map((detail) => invalid(policyPath, policyName, detail))),
      ...(paramRef ? paramRefFaults(paramRef, specPath.child('paramRef'), isFirst) : []),
      ...(matchResources ? matchResourcesFaults(matchResources, specPath.child('matchResources')) : []),
      ...this.ownFaults(spec, context),
    ];
  }

  async #accessFaults({paramRef, policyName = ''}: Spec, context: StrategyContext): Promise<FieldError[]> {
    if (!paramRef) return [];
    // In the version of the binding: both types have the same ones.
    const policies: ResourceRef = {group: 'admissionregistration.orch', version: context.version, resource: this.policies};
    const policy: MutatingAdmissionPolicy | undefined = await ifFound(this.#resources.get(policies, '', policyName));
    return this.#params.referenceFaults(paramRef, policy?.spec?.paramKind, context);
  }
}

/** @param isFirst of the alpha, where the name was all that there was */
function paramRefFaults({name = '', selector, parameterNotFoundAction}: ParamRef, path: FieldPath, isFirst: boolean): FieldError[] {
  if (isFirst && !selector && !isGiven(parameterNotFoundAction)) return nameFaults(name, path.child('name'));
  const exclusive = 'name and selector are mutually exclusive';
  const faults = name === '' ? [] : nameFaults(name, path.child('name'));
  if (name !== '' && selector) faults.push(forbiddenField(path.child('name'), exclusive));
  if (selector) faults.push(...validateLabelSelector(selector, path.child('selector')));
  if (name !== '' && selector) faults.push(forbiddenField(path.child('selector'), exclusive));
  if (name === '' && !selector) faults.push(required(path, 'one of name or selector must be specified'));
  return [...faults, ...validateOneOf(parameterNotFoundAction, notFoundActions, path.child('parameterNotFoundAction'))];
}

/** How tables name the parameters of a binding. */
function paramText({namespace = '', name = '', selector}: ParamRef, isFirst: boolean): string {
  if (namespace !== '' && name !== '') return `${namespace}/${name}`;
  if (isFirst) return namespace === '' ? name : `${namespace}/`;
  // Whether the parameters are in namespaces is not known here.
  return name === '' && selector ? selectorText(selector) : `*/${name}`;
}

function nameFaults(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [required(path)];
  return pathSegmentFaults(name).map((detail) => invalid(path, name, detail));
}
