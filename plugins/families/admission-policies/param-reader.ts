import {
  isNotFound,
  readCachedFirst,
  type ApiObject,
  type NamingProfile,
  type ResourceClient,
  type ServedResource,
} from '../../../sdk/index.js';
import type {ParamKind} from '../../../sdk/types/unchecked/admissionregistration/v1alpha1.js';
import type {BindingParam} from './policy-binding.js';
import {paramType} from './param-type.js';

/** Why params cannot be read, in Kubernetes' words. */
export class ParamError extends Error {
  override readonly name = 'ParamError';
}

/** Reads the param objects of policies. */
export class ParamReader {
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;

  constructor(resources: ResourceClient, naming: NamingProfile) {
    this.#resources = resources;
    this.#naming = naming;
  }

  /** The type of a kind of parameters. @throws ParamError when no such type is served */
  typeOf(kind: ParamKind): ServedResource {
    const found = paramType(this.#resources, this.#naming, kind);
    if (!found)
      throw new ParamError(`failed to find resource referenced by paramKind: '${kind.apiVersion ?? ''}, Kind=${kind.kind ?? ''}'`);
    return found;
  }

  /**
   * The params of a binding for a request in a namespace; none if there are none and that has no effect.
   *
   * @throws ParamError when there are none and the binding refuses that; when they cannot be where the binding says
   */
  async read(type: ServedResource, param: BindingParam, requestNamespace: string): Promise<readonly ApiObject[]> {
    if (param.namespace !== '' && !type.namespaced)
      throw new ParamError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
    const namespace = param.namespace === '' && param.ofRequest && type.namespaced ? requestNamespace : param.namespace;
    if (namespace === '' && type.namespaced && param.ofRequest)
      throw new ParamError('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources');
    if (param.selector !== undefined && param.name === '') {
      const {items} = await this.#resources.list(type, namespace, {labelSelector: param.selector, resourceVersion: '0'});
      return items.length > 0 ? items : missing(param);
    }
    try {
      return [await readCachedFirst(this.#resources, type, namespace, param.name)];
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return missing(param, error as Error);
    }
  }
}

/** @param error of the read, which 1.26 answers with: it has no such action */
function missing({notFoundAction}: BindingParam, error?: Error): readonly ApiObject[] {
  if (notFoundAction === 'Allow') return [];
  throw new ParamError(
    notFoundAction === undefined && error ? error.message : 'no params found for policy binding with `Deny` parameterNotFoundAction',
  );
}
