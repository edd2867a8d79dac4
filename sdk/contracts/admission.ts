import {forbidden} from '../errors/builders.js';
import type {StatusError} from '../errors/status-error.js';
import type {ApiObject, JsonObject, JsonValue} from '../objects/api-object.js';
import type {GroupVersionKind, GroupVersionResource} from '../objects/group-version.js';
import type {ObjectInCache} from './object-cache.js';
import type {AdmissionVerdict} from './request-reports.js';
import type {ResourceRef} from './resource-client.js';
import type {UserInfo} from './user.js';
import type {Startable} from './startable.js';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** Where an annotation of a request is recorded: `Metadata` in all its audit events, `Request` only in those that contain bodies. */
export type AnnotationLevel = 'Metadata' | 'Request';

/**
 * One of the kinds and resources as which the same object can be written: versions of a type, and types that are views of the same objects.
 */
export interface AdmissionForm {
  /** The kind of the bodies; for a subresource with its own kind, that one. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
}

/**
 * A write on its way to the store. `object` is undefined on DELETE, `oldObject` on CREATE and CONNECT.
 * A PATCH that changes an object is an UPDATE, one that creates it a CREATE.
 */
export interface AdmissionRequest {
  readonly operation: AdmissionOperation;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  /**
   * All forms of what is written, starting with that of the request. All requests of an endpoint share the same list until its type
   * changes, so decisions about the endpoint can be cached by it.
   */
  readonly forms: readonly [AdmissionForm, ...AdmissionForm[]];
  readonly namespace: string;
  /** Empty on a create with `generateName` until the name is generated. */
  readonly name: string;
  /** `admit` may modify it in place, `validate` must not. Through `scale` it is the `Scale`. */
  readonly object: ApiObject | undefined;
  /** Must not be modified. */
  readonly oldObject: ApiObject | undefined;
  /** The CreateOptions, UpdateOptions, PatchOptions or DeleteOptions of the request. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly dryRun: boolean;
  /** Whether the object goes with a collection: the request names none, and so do webhooks and policies; `name` is the object's. */
  readonly ofCollection: boolean;
  readonly user: UserInfo;
  /** 0; 1 if `admit` methods run once more because one of them requested it. */
  readonly round: 0 | 1;
  /** Fires when the client has disconnected or the request has timed out. */
  readonly signal: AbortSignal | undefined;
  /**
   * `object` or `oldObject` converted to another form; itself in the form of the request. Must not be modified.
   *
   * @throws StatusError if it cannot be converted
   */
  shownAs(object: ApiObject, form: AdmissionForm): ApiObject | Promise<ApiObject>;
  /**
   * Applies a JSON patch to `object` as shown by a form, as if a client had sent the result: unknown fields are dropped, defaults filled
   * in. Only allowed in `admit`; `object` is replaced.
   *
   * @param operations the patch (RFC 6902)
   * @returns whether anything changed
   * @throws StatusError 400 or 413 if the patch is invalid, cannot be applied, or changes the kind; 422 if the result does not match the
   * schema of a custom resource
   */
  patch(operations: JsonValue, form: AdmissionForm, options?: AdmissionPatchOptions): Promise<boolean>;
  /**
   * Merges a configuration into `object` as shown by a form, as server-side apply merges one; nobody owns its fields. Otherwise like
   * `patch`.
   *
   * @param configuration the fields to set; kind and version may be left out
   * @throws StatusError 400 if it has fields that the schema has not, or sets parts of what can only be replaced as a whole
   */
  merge(configuration: JsonObject, form: AdmissionForm): Promise<boolean>;
  /** Makes all `admit` methods run once more after this round, because the object has changed since some of them saw it. */
  runAgain(): void;
  /** Adds a `Warning` header to the response. */
  warn(text: string): void;
  /**
   * Adds an annotation, such as a policy's finding, to the audit events of the request.
   *
   * @param level `Metadata` by default: part of every event
   */
  annotate(key: string, value: string, level?: AnnotationLevel): void;
  /** Notes what a part of a controller said, a webhook or a policy, for who wants to know why. Undefined where nobody does. Controllers themselves are noted by the server. */
  readonly noteVerdict?: ((verdict: AdmissionVerdict) => void) | undefined;
}

/** How a patch of an admission controller is applied. */
export interface AdmissionPatchOptions {
  /** `Ignore`, the default: unknown fields of the result are dropped. `Strict`: they are an error, in types that are not custom. */
  readonly fieldValidation?: 'Ignore' | 'Strict';
  /** Whether a `test` that does not hold means that nothing changes, instead of an error. */
  readonly skipOnFailedTest?: boolean;
}

/** Another object, as it was when a decision was made by it. */
export interface DecidedBy {
  readonly ref: ResourceRef;
  readonly object: ObjectInCache;
}

/**
 * A policy about writes. Contributed by a plugin as a class decorated with `@admission`, which defines the operations for which it is
 * called. To reject a write, throw a `StatusError` (usually `forbidden`); any other exception becomes a 500 and stops the write: admission
 * fails closed. A write retried after a conflict goes through admission again.
 */
export interface AdmissionController extends Startable {
  /**
   * Modifies `request.object` in place. All `admit` methods run one at a time, before any `validate`. For a request with `runAgain` they
   * run twice, so their changes must not add up.
   *
   * @returns `false` if the object was not modified, which saves checking it again
   */
  admit?(request: AdmissionRequest): void | false | Promise<void | false>;
  /** Accepts or rejects the final object. It must not modify anything: with `--strict-plugins`, and in tests, its input is frozen. */
  validate?(request: AdmissionRequest): void | Promise<void>;
  /**
   * Looks once more at a new object that is about to be stored: the other methods may have been called long ago, because webhooks take their time. It has to
   * be quick, and must not modify anything.
   *
   * @returns an object on which the decision depends, of one controller at most: the new object is not stored if that one has changed by then, on this server
   * or another, and this is called again. A store that has the two in different places does not check that
   */
  conclude?(request: AdmissionRequest): DecidedBy | undefined | Promise<DecidedBy | undefined>;
}

/**
 * The usual rejection by an admission controller: 403, `RESOURCE "NAME" is forbidden: DETAIL`. Until a name is generated, the message has
 * its prefix instead.
 */
export function admissionForbidden(request: AdmissionRequest, detail: string): StatusError {
  const {resource, object} = request;
  const name = request.name || object?.metadata.name || object?.metadata.generateName || 'Unknown';
  return forbidden({...resource, name}, detail);
}
