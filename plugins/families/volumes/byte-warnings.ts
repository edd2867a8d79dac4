import {isWholeQuantity, normalQuantity, type FieldPath} from '../../../sdk/index.js';
import type {PersistentVolumeClaimSpec} from '../../../sdk/types/unchecked/core/v1.js';

/** Resources that are counted in bytes. */
const byteResources = ['memory', 'ephemeral-storage'] as const;

/** Warnings about amounts of memory and storage that are no whole number of bytes. */
export function byteWarnings(
  amounts: Readonly<Record<string, unknown>> | undefined | null,
  path: FieldPath,
  names: readonly string[] = byteResources,
): string[] {
  return names.flatMap((name) => {
    const amount = amounts?.[name];
    if (typeof amount !== 'string' || isWholeQuantity(amount)) return [];
    return [
      `${path.key(name).toString()}: fractional byte value ${JSON.stringify(normalQuantity(amount) ?? amount)} is invalid, must be an integer`,
    ];
  });
}

/** Warnings about storage that is no whole number of bytes. `path` is that of the spec. */
export function claimSpecWarnings(spec: PersistentVolumeClaimSpec | undefined | null, path: FieldPath): string[] {
  return (['requests', 'limits'] as const).flatMap((kind) =>
    byteWarnings(spec?.resources?.[kind], path.child('resources', kind), ['storage']),
  );
}
