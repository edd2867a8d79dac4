import type {ApiObject} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {PersistentVolumeClaim} from '../../../sdk/types/unchecked/core/v1.js';

/**
 * Paths that an update of a claim's status changes other than those that a kubelet reports: `metadata.labels`, `spec`, `status.phase`.
 *
 * @param withExpansion whether kubelets also report the progress of an expansion
 */
export function foreignChanges(before: ApiObject, now: ApiObject, withExpansion: boolean): string[] {
  const reported = new Set(['capacity', 'conditions', ...(withExpansion ? ['resizeStatus', 'allocatedResources'] : [])]);
  const {metadata: oldMeta, status: oldStatus, ...oldRest} = before as PersistentVolumeClaim;
  const {metadata, status, ...rest} = now as PersistentVolumeClaim;
  return [
    // The kubelet does not set these: an unconditional update has no version, and the server records the owners of fields.
    ...changed('metadata.', oldMeta, metadata, new Set(['resourceVersion', 'managedFields'])),
    ...changed('', oldRest, rest, new Set()),
    ...changed('status.', oldStatus ?? {}, status ?? {}, reported),
  ];
}

function changed(prefix: string, before: object, now: object, ignored: ReadonlySet<string>): string[] {
  const [left, right] = [new Map(Object.entries(before)), new Map(Object.entries(now))];
  const members = new Set([...left.keys(), ...right.keys()]);
  return [...members]
    .filter((member) => !ignored.has(member) && !sameValue(left.get(member), right.get(member)))
    .map((member) => prefix + member)
    .sort();
}
