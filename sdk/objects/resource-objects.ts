import type {ResourceObject} from './api-object.js';
import type {ListMeta} from './object-meta.js';

/** A collection, or a page of one. */
export interface ListOf<T> {
  apiVersion: string;
  kind: string;
  metadata: ListMeta;
  items: T[];
}

/**
 * An event of a watch: a change with the object after it (for `DELETED` its last state), or a bookmark: everything up to its version has
 * been sent.
 */
export type ResourceEvent<T> =
  | {readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T}
  | {readonly type: 'BOOKMARK'; readonly object: ResourceObject & {metadata: {resourceVersion: string}}};

/** One operation of a JSON patch (RFC 6902). Paths are JSON pointers. */
export type JsonPatchOperation =
  | {readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown}
  | {readonly op: 'remove'; readonly path: string}
  | {readonly op: 'move' | 'copy'; readonly from: string; readonly path: string};

/** A JSON merge patch (RFC 7386): the members to change; null removes a member, lists are replaced as a whole. */
export type MergePatch<T> = T extends readonly unknown[] ? T : T extends object ? {[K in keyof T]?: MergePatch<T[K]> | null} : T;

/** The documents of the three kinds of patch. A strategic one merges lists by their keys and may contain directives (`$patch`). */
export interface PatchForms<T> {
  readonly json: readonly JsonPatchOperation[];
  readonly merge: MergePatch<T>;
  readonly strategic: object;
}

export const patchMediaTypes: Readonly<Record<keyof PatchForms<unknown>, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};

export const applyMediaType = 'application/apply-patch+yaml';
