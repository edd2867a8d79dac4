import {invalid, type FieldError, type FieldPath} from '../../../sdk/index.js';
import type {Volume} from '../../../sdk/types/unchecked/core/v1.js';

/**
 * Disks that only one node at a time can write: they must be read-only if a template may create more than one pod. Stored templates may
 * keep them.
 */
export function validateReadOnlyDisks(
  volumes: readonly Volume[] | undefined,
  old: readonly Volume[] | undefined,
  path: FieldPath,
): FieldError[] {
  const kept = new Set((old ?? []).map(writableDisk).filter((name) => name !== undefined));
  return (volumes ?? []).flatMap((volume, index) => {
    const name = writableDisk(volume);
    if (name === undefined || kept.has(name)) return [];
    const detail = 'must be true for replicated pods > 1; GCE PD can only be mounted on multiple machines if it is read-only';
    return [invalid(path.index(index).child('gcePersistentDisk', 'readOnly'), false, detail)];
  });
}

function writableDisk({gcePersistentDisk: disk}: Volume): string | undefined {
  return disk && !disk.readOnly ? (disk.pdName ?? '') : undefined;
}
