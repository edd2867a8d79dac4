import type {FieldError, FieldPath} from '../../../sdk/index.js';
import {validateText} from '../../../sdk/validation/index.js';

/** Members of a source of a volume, whatever its type. */
export type VolumeSource = Readonly<Record<string, unknown>>;

/** Faults of members that must be texts with something in them. */
export function texts(source: VolumeSource, path: FieldPath, ...members: string[]): FieldError[] {
  return members.flatMap((member) => validateText(textOf(source, member), path.child(member)));
}

/** Absent and null count as undefined, here and below. */
export function textOf(source: VolumeSource, member: string): string | undefined {
  const value = source[member];
  return typeof value === 'string' ? value : undefined;
}

export function numberOf(source: VolumeSource, member: string): number | undefined {
  const value = source[member];
  return typeof value === 'number' ? value : undefined;
}

/** The object that a member is, such as a reference to a secret. */
export function referenceOf(source: VolumeSource, member: string): VolumeSource | undefined {
  const value = source[member];
  return typeof value === 'object' && value !== null ? (value as VolumeSource) : undefined;
}

/** Number of the entries of a list; 0 without one. */
export function lengthOf(source: VolumeSource, member: string): number {
  const value = source[member];
  return Array.isArray(value) ? value.length : 0;
}
