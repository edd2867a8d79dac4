import type {ObjectMeta} from './object-meta.js';

/**
 * An object of a generated type (`orch/types/…`) as a strategy gets it: its members have the right types, but nothing else has been
 * checked. So every member may be missing, also where the type demands it, and a text that should be one of a few may be any. Metadata
 * has been checked: objects have it, and it is as it is declared.
 *
 * @example `type Job = Unchecked<batch.Job>`
 */
export type Unchecked<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? Unchecked<Item>[]
    : T extends object
      ? UncheckedMembers<T>
      : T;

/** Of a map any key may be missing anyway. */
type UncheckedMembers<T extends object> = string extends keyof T
  ? {[Key in keyof T]: Unchecked<T[Key]>}
  : 'metadata' extends keyof T
    ? MetadataOf<T> & {[Key in Exclude<keyof T, 'metadata'>]?: Member<T, Key>}
    : {[Key in keyof T]?: Member<T, Key>};

/** What is no object by itself, such as a template, may be without. */
type MetadataOf<T extends {metadata?: unknown}> = 'apiVersion' extends keyof T ? {metadata: ObjectMeta} : Pick<T, 'metadata'>;

/** Lists and maps that must be there are written also when they are not: as null. */
type Member<T extends object, Key extends keyof T> =
  object extends Pick<T, Key>
    ? Unchecked<T[Key]>
    : T[Key] extends readonly unknown[] | Readonly<Record<string, never>>
      ? Unchecked<T[Key]> | null
      : Unchecked<T[Key]>;
