import type {ManagedFieldsEntry} from '../../../../sdk/index.js';
import {unionOf} from '../fields/field-set.js';
import {entryOf, fieldsOfEntry, isEntryOf, seconds, type ManagedFields, type ManagerIdentity} from './managed-fields.js';

/** So many entries of updates are kept apart. */
const maximumUpdates = 10;
/** Manager of what older updates left behind. */
const oldUpdates = 'ancient-changes';

/** Joins the oldest entries of updates, one entry for each API version, where there are too many of them. Entries of appliers stay. */
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
      // What older writes were joined to takes the place of the first.
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

/** Entries of one version that become one. */
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
