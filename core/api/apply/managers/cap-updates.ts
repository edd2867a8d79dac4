import type {ManagedFieldsEntry} from '../../../../sdk/index.js';
import {unionOf} from '../fields/field-set.js';
import {entryOf, fieldsOfEntry, isEntryOf, seconds, type ManagedFields, type ManagerIdentity} from './managed-fields.js';

/** Updates keep at most this many separate entries. */
const maximumUpdates = 10;
/** The manager of the entry into which older updates are merged. */
const oldUpdates = 'ancient-changes';

/** Merges the oldest update entries, one for each API version, if there are too many. Entries of appliers stay. */
export function capUpdates(entries: ManagedFields): ManagedFields {
  let count = 0;
  for (const {operation} of entries) if (operation === 'Update') count += 1;
  if (count <= maximumUpdates) return entries;
  const oldest = entries
    .filter(({operation}) => operation === 'Update')
    .map((entry) => ({entry, time: seconds(entry), identity: identityText(entry)}))
    .sort((a, b) => a.time - b.time || (a.identity < b.identity ? -1 : 1));
  const buckets = new Map<string, Bucket>();
  const joined = new Set<ManagedFieldsEntry>();
  for (const {entry} of oldest) {
    if (count <= maximumUpdates) break;
    if (joined.has(entry)) continue;
    const apiVersion = entry.apiVersion ?? '';
    const bucket = buckets.get(apiVersion);
    if (!bucket) {
      buckets.set(apiVersion, {first: entry, others: []});
      continue;
    }
    if (bucket.others.length === 0) {
      // The merged entry takes the place of the first one.
      const identity = bucketIdentity(apiVersion);
      bucket.first = entries.find((other) => other !== entry && isEntryOf(other, identity)) ?? bucket.first;
      joined.add(bucket.first);
    }
    bucket.others.push(entry);
    joined.add(entry);
    count -= 1;
  }
  const kept = entries.filter((entry) => !joined.has(entry));
  for (const [apiVersion, {first, others}] of buckets) {
    if (others.length === 0) continue;
    const fields = unionOf([first, ...others].map(fieldsOfEntry));
    kept.push(entryOf(bucketIdentity(apiVersion), fields, others.at(-1)!.time));
  }
  return kept;
}

/** Entries of one version that are merged into one. */
interface Bucket {
  first: ManagedFieldsEntry;
  readonly others: ManagedFieldsEntry[];
}

function bucketIdentity(apiVersion: string): ManagerIdentity {
  return {manager: oldUpdates, operation: 'Update', apiVersion, subresource: ''};
}

function identityText({manager, apiVersion, subresource}: ManagedFieldsEntry): string {
  return JSON.stringify([manager, apiVersion, subresource]);
}
