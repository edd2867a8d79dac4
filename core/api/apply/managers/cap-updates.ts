import type {ManagedFieldsEntry} from '../../../../sdk/index.js';
import {union} from '../fields/field-set.js';
import {entryOf, fieldsOfEntry, isEntryOf, seconds, type ManagedFields} from './managed-fields.js';

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
    .sort((a, b) => seconds(a) - seconds(b) || (identityText(a) < identityText(b) ? -1 : 1));
  let kept = [...entries];
  const firstOfVersion = new Map<string, ManagedFieldsEntry>();
  for (const entry of oldest) {
    if (count <= maximumUpdates) break;
    if (!kept.includes(entry)) continue;
    const apiVersion = entry.apiVersion ?? '';
    const bucketOf = {manager: oldUpdates, operation: 'Update', apiVersion, subresource: ''} as const;
    const first = firstOfVersion.get(apiVersion);
    if (!first) {
      firstOfVersion.set(apiVersion, entry);
      continue;
    }
    const bucket = kept.find((other) => other !== entry && isEntryOf(other, bucketOf));
    const into = bucket ?? first;
    const joined = entryOf(bucketOf, union(fieldsOfEntry(entry), fieldsOfEntry(into)), entry.time);
    kept = [...kept.filter((other) => other !== entry && other !== into), joined];
    firstOfVersion.set(apiVersion, joined);
    count -= 1;
  }
  return kept;
}

function identityText({manager, apiVersion, subresource}: ManagedFieldsEntry): string {
  return JSON.stringify([manager, apiVersion, subresource]);
}
