import {badRequest, type ApiObject, type DecidedBy, type ErrorTarget, type ResourceVerb} from '../../sdk/index.js';
import type {ResourceType, ResourceTypeVersion} from '../api/types/resource-type.js';
import type {TypeStorage} from '../storage/type-storage.js';
import type {AdmissionChain} from './admission/admission-chain.js';
import type {VersionView} from './views/version-view.js';
import type {AdmissionForms} from './admission/admission-forms.js';
import type {WriteDependency} from './write-dependency.js';

/** One served version of a resource type: everything that the verbs need, assembled once. */
export interface ServedVersion {
  readonly version: ResourceTypeVersion;
  readonly type: ResourceType;
  readonly storage: TypeStorage;
  readonly admission: AdmissionChain;
  /**
   * A version, by its `apiVersion`, in which objects of the type can be read and written: of the type itself, or of another type that is a
   * view of the same objects.
   */
  readonly findVersion: (apiVersion: string) => ResourceTypeVersion | undefined;
  /**
   * A type may be removed while a request is in progress.
   *
   * @throws StatusError 404 if the type is no longer served, 405 if it no longer has the verb
   */
  readonly checkServed: (verb: ResourceVerb) => void;
  /** Makes a write depend on the object that it was admitted by. */
  readonly dependency: (by: DecidedBy) => WriteDependency;
  /** The stored objects as requests in this version see them. */
  readonly view: VersionView;
  /** The kinds and versions in which admission may see what is written here. */
  readonly forms: AdmissionForms;
  /** Drops fields whose feature gates are off, unless the stored object uses them. Modifies `object`. */
  readonly dropDisabled: (object: ApiObject, old: ApiObject | undefined) => void;
  /** The `apiVersion` of the options that admission sees. */
  readonly optionsVersion: string;
  /** Whether a feature gate is on. */
  readonly isEnabled: (gate: string) => boolean;
  /** Maximum bytes of JSON of an object after a write. */
  readonly maximumObjectBytes: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** The object that a request is about, on the main endpoint (`subresource` empty) or on a subresource. */
export interface ObjectTarget {
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
}

export function errorTarget(served: ServedVersion, name: string): ErrorTarget {
  return {group: served.type.group, resource: served.type.plural, name};
}

/**
 * Compares an object from a client with the path, and fills in the namespace. One of a cluster-scoped type loses the namespace that it has, as in
 * Kubernetes: Helm and others put their own into all objects. An object that is written by name must contain its name: one
 * without is a mistake, not an empty object of that name.
 *
 * @throws 400 if body and path differ, or the body has no name
 */
export function matchPath(served: ServedVersion, object: ApiObject, target: {namespace: string; name: string}): void {
  const {metadata} = object;
  if (target.name !== '') {
    if (!metadata.name) throw badRequest(`the name of the object (${target.name} based on URL) was undeterminable: name must be provided`);
    if (metadata.name !== target.name)
      throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${target.name})`);
  }
  if (!served.type.namespaced) delete metadata.namespace;
  else if (!metadata.namespace) metadata.namespace = target.namespace;
  else if (metadata.namespace !== target.namespace) {
    throw badRequest(`the namespace of the provided object does not match the namespace sent on the request`);
  }
}

/** The last result of `timestamp`: most writes happen in the same second as the previous one. */
let last = {second: Number.NaN, text: ''};

/** A time as objects carry it: RFC 3339, UTC, whole seconds. */
export function timestamp(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  if (second !== last.second) last = {second, text: `${new Date(milliseconds).toISOString().slice(0, 19)}Z`};
  return last.text;
}

/** Fills in defaults: those of the schema, then those that the strategy computes. */
export function applyDefaults(served: ServedVersion, object: ApiObject): void {
  served.version.schema.applyDefaults(object as never);
  served.type.strategy?.applyDefaults?.(object);
}
