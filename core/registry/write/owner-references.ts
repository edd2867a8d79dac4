import type {ApiObject} from '../../../sdk/index.js';
import {uniqueOwnerReferences} from '../../api/metadata/unique-owner-references.js';
import {cutText} from '../value-text.js';
import type {WriteContext} from '../request-context.js';

/** Removes duplicate owner references and warns the client. Modifies `object`. */
export function uniteOwnerReferences({metadata}: ApiObject, context: WriteContext): void {
  const unique = metadata.ownerReferences && uniqueOwnerReferences(metadata.ownerReferences);
  if (!unique) return;
  metadata.ownerReferences = unique.references;
  const uids = [...new Set(unique.duplicates)].map(cutText);
  const more = uids.length > 10 ? ` and ${uids.length - 10} more` : '';
  // A patch is looked at when it has passed admission.
  const when = context.verb === 'patch' ? ' after mutating admission happens' : '';
  context.warn(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids.slice(0, 10).join(', ')}${more}`,
  );
}
