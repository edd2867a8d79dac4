import type {FieldsV1, ManagedFieldsEntry} from '../../../../sdk/index.js';
import {isJsonObject} from '../../json/is-json-object.js';
import {emptySet, isEmptySet, type FieldSet} from '../fields/field-set.js';
import {InvalidFields} from '../fields/invalid-fields.js';
import {readFields, sortedFields} from '../fields/normal-fields.js';

/** Entries of `metadata.managedFields` with normalized sets. Lists and entries are immutable; changes create new ones. */
export type ManagedFields = readonly ManagedFieldsEntry[];

/** What distinguishes the entries of one object. */
export interface ManagerIdentity {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  /** Part of the identity of updates only: an applier has one entry, whichever version it used last. */
  readonly apiVersion: string;
  /** Empty for the main endpoint. */
  readonly subresource: string;
}

/** The set of an entry that was parsed or created here. */
export function fieldsOfEntry(entry: ManagedFieldsEntry): FieldSet {
  return (entry.fieldsV1 as FieldSet | undefined) ?? emptySet;
}

export function isEntryOf(entry: ManagedFieldsEntry, {manager, operation, apiVersion, subresource}: ManagerIdentity): boolean {
  return (
    entry.operation === operation &&
    (entry.manager ?? '') === manager &&
    (entry.subresource ?? '') === subresource &&
    (operation === 'Apply' || entry.apiVersion === apiVersion)
  );
}

/** An entry with a set, with its members in Kubernetes' order. */
export function entryOf(identity: ManagerIdentity, fields: FieldSet, time: string | null | undefined): ManagedFieldsEntry {
  const {manager, operation, apiVersion, subresource} = identity;
  const entry: ManagedFieldsEntry = {manager, operation, apiVersion};
  if (time) entry.time = time;
  entry.fieldsType = 'FieldsV1';
  entry.fieldsV1 = sortedFields(fields) as FieldsV1;
  if (subresource !== '') entry.subresource = subresource;
  return entry;
}

/** The same entry with another set; undefined if the set is empty, because empty entries are not kept. */
export function withFields(entry: ManagedFieldsEntry, fields: FieldSet): ManagedFieldsEntry | undefined {
  if (fields === entry.fieldsV1) return entry;
  return isEmptySet(fields) ? undefined : {...entry, fieldsV1: sortedFields(fields) as FieldsV1};
}

/** Whether a client asks to drop all ownership: a list with one empty entry (docs/semantics/apply.md#forgetting-owners). */
export function asksForReset(entries: unknown): boolean {
  return (
    Array.isArray(entries) &&
    entries.length === 1 &&
    isJsonObject(entries[0]) &&
    Object.values(entries[0]).every((value) => value === undefined)
  );
}

/**
 * Reads entries sent by a client. If two entries have the same identity, the later one wins.
 *
 * @throws InvalidFields
 */
export function readManagedFields(entries: ManagedFields): ManagedFields {
  const result = new Map<string, ManagedFieldsEntry>();
  for (const [index, entry] of entries.entries()) {
    const {operation, apiVersion, fieldsType, manager = '', subresource = ''} = entry;
    if (operation !== 'Apply' && operation !== 'Update') throw new InvalidFields('operation must be `Apply` or `Update`');
    if (!apiVersion) throw new InvalidFields('apiVersion must not be empty');
    if (!fieldsType) throw new InvalidFields(`missing fieldsType in managed fields entry ${index}`);
    if (fieldsType !== 'FieldsV1')
      throw new InvalidFields(`invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${index}`);
    const identity = {manager, operation, apiVersion, subresource};
    result.set(identityText(identity), entryOf(identity, readFields(entry.fieldsV1), entry.time));
  }
  return [...result.values()];
}

/** Equal only for entries with the same identity. */
function identityText({manager, operation, apiVersion, subresource}: ManagerIdentity): string {
  return JSON.stringify([manager, operation, subresource, ...(operation === 'Apply' ? [] : [apiVersion])]);
}

/** The order of stored entries: by operation, then by time (oldest first), then by name. */
export function sortManagedFields(entries: ManagedFieldsEntry[]): ManagedFieldsEntry[] {
  if (entries.length < 2) return entries;
  return entries
    .map((entry) => ({entry, time: seconds(entry)}))
    .sort(compareEntries)
    .map(({entry}) => entry);
}

interface TimedEntry {
  readonly entry: ManagedFieldsEntry;
  readonly time: number;
}

function compareEntries({entry: a, time: timeOfA}: TimedEntry, {entry: b, time: timeOfB}: TimedEntry): number {
  return (
    compareTexts(a.operation, b.operation) ||
    timeOfA - timeOfB ||
    compareTexts(a.manager, b.manager) ||
    compareTexts(a.apiVersion, b.apiVersion) ||
    compareTexts(a.subresource, b.subresource)
  );
}

function compareTexts(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The time of an entry in seconds; 0 if it has none. */
export function seconds({time}: ManagedFieldsEntry): number {
  return time ? Math.floor(Date.parse(time) / 1000) || 0 : 0;
}
