import type {ApiObject, ManagedFields} from './types.js';

/** A state that an object had in the last minutes. */
export interface ObjectVersion {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'EXISTING';
  readonly resourceVersion: string;
  readonly time?: string;
  readonly object?: ApiObject;
}

/** What a version changed. */
export interface VersionStep {
  /** Undefined where nothing was before. */
  readonly before: ApiObject | undefined;
  /** Undefined where nothing is afterwards. */
  readonly after: ApiObject | undefined;
  /** Why the change itself cannot be shown; empty if it can. */
  readonly unknown: '' | 'before' | 'version';
}

/** From which state to which a version led; the oldest that is known may have been a change of something that is not. */
export function versionStep(versions: readonly ObjectVersion[], index: number): VersionStep {
  const {type, object} = versions[index]!;
  const previous = versions[index - 1];
  const before = previous?.type === 'DELETED' ? undefined : previous?.object;
  if (!object) return {before: undefined, after: undefined, unknown: 'version'};
  if (type === 'ADDED') return {before: undefined, after: object, unknown: ''};
  if (type === 'DELETED') return {before: object, after: undefined, unknown: ''};
  if (type === 'EXISTING') return {before: object, after: object, unknown: ''};
  return before ? {before, after: object, unknown: ''} : {before: object, after: object, unknown: 'before'};
}

/** Who wrote a version, as far as its fields say. Empty if nobody is named. */
export function managerOf(versions: readonly ObjectVersion[], index: number): string {
  const {object, type} = versions[index]!;
  if (type === 'DELETED') return '';
  const entries = object?.metadata.managedFields ?? [];
  const before = versions[index - 1]?.object?.metadata.managedFields ?? [];
  // Others lose fields to who writes them, which leaves their time as it was. Times are whole seconds.
  const [latest] = [sameTime, sameEntry, () => false]
    .map((same) => entries.filter((entry) => !before.some((other) => same(entry, other))))
    .find((found) => found.length > 0)
    ?.toSorted((left, right) => ((left.time ?? '') < (right.time ?? '') ? 1 : -1)) ?? [undefined];
  return latest?.manager ?? '';
}

function sameTime(one: ManagedFields, other: ManagedFields): boolean {
  const {manager, operation, subresource, time} = one;
  return manager === other.manager && operation === other.operation && subresource === other.subresource && time === other.time;
}

function sameEntry(one: ManagedFields, other: ManagedFields): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
