import {
  isNotFound,
  readCachedFirst,
  type ApiObject,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import type {ParamKind} from '../../../sdk/types/unchecked/admissionregistration/v1alpha1.js';
import {paramType} from '../../families/admission-policies/param-type.js';

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
  typeOf(kind: ParamKind): ResourceRef {
    const found = paramType(this.#resources, this.#naming, kind);
    if (!found)
      throw new ParamError(`failed to find resource referenced by paramKind: '${kind.apiVersion ?? ''}, Kind=${kind.kind ?? ''}'`);
    return found;
  }

  /** @throws ParamError when there is no such object */
  async read(type: ResourceRef, namespace: string, name: string): Promise<ApiObject> {
    try {
      return await readCachedFirst(this.#resources, type, namespace, name);
    } catch (error) {
      if (isNotFound(error)) throw new ParamError((error as Error).message);
      throw error;
    }
  }
}
