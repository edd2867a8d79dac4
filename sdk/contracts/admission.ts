import type {ApiObject} from '../objects/api-object.js';
import type {GroupVersionKind, GroupVersionResource} from '../objects/group-version.js';
import type {UserInfo} from './user.js';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/**
 * A write on its way to the store. `object` is undefined on DELETE, `oldObject` on CREATE and CONNECT.
 * A PATCH that changes an object is an UPDATE, one that makes it a CREATE.
 */
export interface AdmissionRequest {
  readonly operation: AdmissionOperation;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  /** Empty on a create with `generateName` until the name is made. */
  readonly name: string;
  /** May be changed in place by `admit`, never by `validate`. */
  readonly object: ApiObject | undefined;
  /** Never to be changed. */
  readonly oldObject: ApiObject | undefined;
  /** The CreateOptions, UpdateOptions, PatchOptions or DeleteOptions of the request. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  /** Adds a `Warning` header to the response. */
  warn(text: string): void;
  /** Notes something about the request, which the log shows with it: what a policy has found, for one. Requests of plugins are not logged. */
  annotate(key: string, value: string): void;
}

/**
 * A policy over writes. Contributed by a plugin as a class decorated with `@admission`, which says for which operations
 * it is called. A refusal is a thrown `StatusError` (usually `forbidden`); any other exception is a 500 and stops the write:
 * admission fails closed. A write that is retried after a conflict runs through admission again.
 */
export interface AdmissionController {
  /** Changes `request.object` in place. All `admit` run one after another, before any `validate`. */
  admit?(request: AdmissionRequest): void | Promise<void>;
  /** Accepts or refuses the final object. */
  validate?(request: AdmissionRequest): void | Promise<void>;
}
