import {forbiddenField, notSupported, required, type FieldError, type FieldPath} from '../../../sdk/index.js';

/** Modes in the order in which Tables show them, with their short forms. */
const shortForms: readonly (readonly [string, string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

/** Errors in a volume's access modes. There must be at least one; `ReadWriteOncePod` must be the only one and needs its feature gate. @param missing what is said where there is none */
export function validateAccessModes(
  modes: readonly string[] | undefined,
  path: FieldPath,
  allowReadWriteOncePod: boolean,
  missing: string,
): FieldError[] {
  if (!modes?.length) return [required(path, missing)];
  const supported = ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', ...(allowReadWriteOncePod ? ['ReadWriteOncePod'] : [])];
  const faults = modes.filter((mode) => !supported.includes(mode)).map((mode) => notSupported(path, mode, supported));
  if (allowReadWriteOncePod && modes.includes('ReadWriteOncePod') && modes.length > 1) {
    faults.push(forbiddenField(path, 'may not use ReadWriteOncePod with other access modes'));
  }
  return faults;
}

/** Access modes on one line (`RWO,ROX`), without duplicates. */
export function accessModesText(modes: readonly string[] | undefined): string {
  return shortForms
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',');
}
