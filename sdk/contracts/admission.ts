import type {ApiObject} from '../objects/api-object.js';
import type {GroupVersionKind, GroupVersionResource} from '../objects/group-version.js';
import type {UserInfo} from './user.js';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/**
 * A write on its way to the store. `object` is undefined on DELETE, `oldObject` on CREATE and CONNECT.
 * A PATCH that changes an object is an UPDATE, one that creates it a CREATE.
 */
export interface AdmissionRequest {
  readonly operation: AdmissionOperation;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  /** Empty on a create with `generateName` until the name is generated. */
  readonly name: string;
  /** May be changed in place by `admit`, never by `validate`. */
  readonly object: ApiObject | undefined;
  /** Must not be changed. */
  readonly oldObject: ApiObject | undefined;
  /** The CreateOptions, UpdateOptions, PatchOptions or DeleteOptions of the request. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  /** Adds a `Warning` header to the response. */
  warn(text: string): void;
  /** Adds a note about the request, such as a policy's finding, to its log entry. Requests of plugins are not logged. */
  annotate(key: string, value: string): void;
}

/**
 * A policy over writes. Contributed by a plugin as a class decorated with `@admission`, which says for which operations
 * it is called. To refuse a write, throw a `StatusError` (usually `forbidden`); any other exception becomes a 500 and stops the write:
 * admission fails closed. A write retried after a conflict goes through admission again.
 */
export interface AdmissionController {
  /** Changes `request.object` in place. All `admit` methods run one at a time, before any `validate`. */
  admit?(request: AdmissionRequest): void | Promise<void>;
  /** Accepts or refuses the final object. */
  validate?(request: AdmissionRequest): void | Promise<void>;
}
