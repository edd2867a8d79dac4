import type {ObjectMeta} from '../../../sdk/index.js';

/**
 * Copies from the stored object what a client need not send or cannot decide: the uid and the deletion fields if they are missing, the
 * creation time and the generation always. Anything else the client sent stays for `validateObjectMetaUpdate` to check. Modifies `meta`.
 */
export function fillSystemFields(meta: ObjectMeta, old: ObjectMeta): void {
  if (!meta.uid && old.uid) meta.uid = old.uid;
  if (!meta.deletionTimestamp && old.deletionTimestamp) meta.deletionTimestamp = old.deletionTimestamp;
  if (typeof meta.deletionGracePeriodSeconds !== 'number' && typeof old.deletionGracePeriodSeconds === 'number') {
    meta.deletionGracePeriodSeconds = old.deletionGracePeriodSeconds;
  }
  takeOver(meta, old, 'creationTimestamp');
  takeOver(meta, old, 'generation');
}

function takeOver<K extends 'creationTimestamp' | 'generation'>(meta: ObjectMeta, old: ObjectMeta, member: K): void {
  if (old[member] === undefined) delete meta[member];
  else meta[member] = old[member];
}
