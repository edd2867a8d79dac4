import type {FieldError, FieldPath} from '../../../sdk/index.js';
import {validateText} from '../../../sdk/validation/index.js';

/** The members of a volume source of any type. */
export type VolumeSource = Readonly<Record<string, unknown>>;

/** Errors in members that must be non-empty strings. */
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

/** A member that is an object, such as a reference to a secret. */
export function referenceOf(source: VolumeSource, member: string): VolumeSource | undefined {
  const value = source[member];
  return typeof value === 'object' && value !== null ? (value as VolumeSource) : undefined;
}

/** The length of a list; 0 if it is missing. */
export function lengthOf(source: VolumeSource, member: string): number {
  const value = source[member];
  return Array.isArray(value) ? value.length : 0;
}
