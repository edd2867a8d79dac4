import {forbiddenField, notSupported, required, type FieldError, type FieldPath} from '../../../sdk/index.js';

/** Modes in the order in which Tables show them, with their short forms. */
const shortForms: readonly (readonly [string, string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

/** Faults of the ways in which a volume may be mounted. At least one; exclusive use by one pod stands alone and behind a feature gate. */
export function validateAccessModes(modes: readonly string[] | undefined, path: FieldPath, allowReadWriteOncePod: boolean): FieldError[] {
  if (!modes?.length) return [required(path, 'at least 1 access mode is required')];
  const supported = ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', ...(allowReadWriteOncePod ? ['ReadWriteOncePod'] : [])];
  const faults = modes.filter((mode) => !supported.includes(mode)).map((mode) => notSupported(path, mode, supported));
  if (allowReadWriteOncePod && modes.includes('ReadWriteOncePod') && modes.length > 1) {
    faults.push(forbiddenField(path, 'may not use ReadWriteOncePod with other access modes'));
  }
  return faults;
}

/** Access modes in one line (`RWO,ROX`), each once. */
export function accessModesText(modes: readonly string[] | undefined): string {
  return shortForms
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',');
}
