import type {ObjectMeta} from '../../../sdk/index.js';

/**
 * Carries over from the stored object what a client need not send, or cannot decide: the uid and the marks of a deletion
 * where they are missing, the creation time and the generation always. What the client sent otherwise stays, for
 * `validateObjectMetaUpdate` to judge. Changes `meta`.
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
