import type {ObjectMeta} from './object-meta.js';

/**
 * An object of a generated type (`@orch-api/orch/types/…`) as strategies receive it: its members have the right types, but nothing else has been
 * checked. Every member may therefore be missing, even if the type requires it, and an enum may be any string. Metadata has been validated:
 * objects have it, with its declared type.
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

/** Any key of a map may be missing anyway. */
type UncheckedMembers<T extends object> = string extends keyof T
  ? {[Key in keyof T]: Unchecked<T[Key]>}
  : 'metadata' extends keyof T
    ? MetadataOf<T> & {[Key in Exclude<keyof T, 'metadata'>]?: Member<T, Key>}
    : {[Key in keyof T]?: Member<T, Key>};

/** An embedded structure, such as a template, may have no metadata. */
type MetadataOf<T extends {metadata?: unknown}> = 'apiVersion' extends keyof T ? {metadata: ObjectMeta} : Pick<T, 'metadata'>;

/** Required lists and maps are written even if missing: as null. */
type Member<T extends object, Key extends keyof T> =
  object extends Pick<T, Key>
    ? Unchecked<T[Key]>
    : T[Key] extends readonly unknown[] | Readonly<Record<string, never>>
      ? Unchecked<T[Key]> | null
      : Unchecked<T[Key]>;
