import {
  FieldPath,
  forbiddenField,
  inject,
  injectable,
  parseApiVersion,
  Tokens,
  type AccessReviewer,
  type FieldError,
  type NamingProfile,
  type ResourceClient,
  type StrategyContext,
} from '../../../sdk/index.js';
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../../sdk/types/unchecked/admissionregistration/v1alpha1.js';
import {paramType} from '../../families/admission-policies/param-type.js';

type ParamKind = NonNullable<NonNullable<ValidatingAdmissionPolicy['spec']>['paramKind']>;
type ParamRef = NonNullable<NonNullable<ValidatingAdmissionPolicyBinding['spec']>['paramRef']>;

const specPath = FieldPath.of('spec');

/**
 * Prevents users from reading through a policy what they may not read themselves: its expressions see the parameter objects (Kubernetes'
 * rule). A policy's author needs access to all objects of the kind, a binding's author to the objects it names.
 */
@injectable()
export class ParamAccess {
  readonly #access: AccessReviewer;
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;

  constructor(
    @inject(Tokens.Access) access: AccessReviewer,
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
  ) {
    this.#access = access;
    this.#resources = resources;
    this.#naming = naming;
  }

  /** Errors in a policy whose author may not read all objects of its parameter kind. */
  async kindFaults(kind: ParamKind | null | undefined, context: StrategyContext): Promise<FieldError[]> {
    if (!kind || (await this.#mayRead(kind, {namespace: '*', name: '*'}, context))) return [];
    const what = `all objects of the referenced paramKind (kind=${kind.kind ?? ''}, apiVersion=${kind.apiVersion ?? ''})`;
    return [
      forbiddenField(specPath.child('paramKind'), `user ${JSON.stringify(context.user.username)} must have "get" permission on ${what}`),
    ];
  }

  /** Errors in a binding whose author may not read the parameter object. @param kind of the policy; undefined if unknown */
  async referenceFaults(
    reference: ParamRef | null | undefined,
    kind: ParamKind | undefined,
    context: StrategyContext,
  ): Promise<FieldError[]> {
    if (!reference || (await this.#mayRead(kind, reference, context))) return [];
    const detail = `user ${JSON.stringify(context.user.username)} must have "get" permission on the object of the referenced paramRef`;
    return [forbiddenField(specPath.child('paramRef'), detail)];
  }

  async #mayRead(kind: ParamKind | undefined, {namespace = '', name = ''}: ParamRef, {user}: StrategyContext): Promise<boolean> {
    const target = this.#targetOf(kind);
    const {decision} = await this.#access.authorize({
      user,
      verb: 'get',
      isResourceRequest: true,
      path: '',
      subresource: '',
      namespace,
      name,
      ...target,
    });
    return decision === 'allow';
  }

  /** If the resource is unknown, access to all of them is required. */
  #targetOf(kind: ParamKind | undefined): {group: string; version: string; resource: string} {
    const parsed = parseApiVersion(kind?.apiVersion ?? '');
    if (!kind || !parsed) return {group: '*', version: '*', resource: '*'};
    const {group, version} = parsed;
    const served = paramType(this.#resources, this.#naming, kind);
    return {group, version, resource: served?.resource ?? '*'};
  }
}
