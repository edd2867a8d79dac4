import type {ApiObject, JsonValue} from '../objects/api-object.js';
import type {GroupVersionKind, GroupVersionResource} from '../objects/group-version.js';
import type {UserInfo} from './user.js';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** How a note about a request is kept: `Metadata` with every record of it, `Request` only where its bodies are kept too. */
export type AnnotationLevel = 'Metadata' | 'Request';

/** One of the kinds and resources as which the same object can be written: versions of a type, and types that are views of the same objects. */
export interface AdmissionForm {
  /** Kind of the bodies: of a subresource that has a kind of its own, that one. */
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
   * All forms of what is written, beginning with that of the request. The list is the same one for all requests of an endpoint until its type
   * changes, so that decisions about the endpoint can be kept by it.
   */
  readonly forms: readonly [AdmissionForm, ...AdmissionForm[]];
  readonly namespace: string;
  /** Empty on a create with `generateName` until the name is generated. */
  readonly name: string;
  /** May be changed in place by `admit`, never by `validate`. Through `scale` it is the `Scale`. */
  readonly object: ApiObject | undefined;
  /** Must not be changed. */
  readonly oldObject: ApiObject | undefined;
  /** The CreateOptions, UpdateOptions, PatchOptions or DeleteOptions of the request. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  /** 0; 1 when `admit` methods run once more because one of them asked for it. */
  readonly round: 0 | 1;
  /** Fires when the client is gone or the request's time is over. */
  readonly signal: AbortSignal | undefined;
  /**
   * `object` or `oldObject` in another of the forms; itself in that of the request. Must not be changed.
   *
   * @throws StatusError when it cannot be converted
   */
  shownAs(object: ApiObject, form: AdmissionForm): ApiObject | Promise<ApiObject>;
  /**
   * Applies a JSON patch to `object` as a form shows it, as if a client had sent the result: unknown fields are dropped, defaults filled in. Only
   * within `admit`; `object` is another one afterwards.
   *
   * @param operations the patch (RFC 6902)
   * @returns whether anything changed
   * @throws StatusError 400 or 413 when the patch is none, does not apply, or makes something of another kind; 422 when what it makes does not
   *   fit the schema of a custom resource
   */
  patch(operations: JsonValue, form: AdmissionForm): Promise<boolean>;
  /** Has all `admit` methods run once more after this round, because the object changed behind the back of those that were asked already. */
  runAgain(): void;
  /** Adds a `Warning` header to the response. */
  warn(text: string): void;
  /**
   * Adds a note about the request, such as a policy's finding, to its audit events.
   *
   * @param level `Metadata` by default: part of the log entry
   */
  annotate(key: string, value: string, level?: AnnotationLevel): void;
}

/**
 * A policy over writes. Contributed by a plugin as a class decorated with `@admission`, which says for which operations
 * it is called. To refuse a write, throw a `StatusError` (usually `forbidden`); any other exception becomes a 500 and stops the write:
 * admission fails closed. A write retried after a conflict goes through admission again.
 */
export interface AdmissionController {
  /**
   * Changes `request.object` in place. All `admit` methods run one at a time, before any `validate`; those of a request for which
   * `runAgain` was called run twice, so what they do to an object must not build up.
   *
   * @returns `false` says that it has left the object alone, which spares the work of looking at it again
   */
  admit?(request: AdmissionRequest): void | false | Promise<void | false>;
  /** Accepts or refuses the final object. It changes nothing: with `--strict-admission`, and in tests, what it gets is frozen. */
  validate?(request: AdmissionRequest): void | Promise<void>;
}
