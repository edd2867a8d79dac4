import {StatusError} from './status-error.js';

/** Whether an error says that an object does not exist. */
export function isNotFound(error: unknown): boolean {
  return StatusError.is(error) && error.code === 404;
}

/** Whether a write failed because the object has changed since it was read, or is another one of its name. */
export function isConflict(error: unknown): boolean {
  return StatusError.is(error) && error.reason === 'Conflict';
}

/** Whether a name is taken by another object. */
export function isAlreadyExists(error: unknown): boolean {
  return StatusError.is(error) && error.reason === 'AlreadyExists';
}

/** Whether a write was refused because its namespace is being deleted: nothing more can be made there. */
export function isNamespaceTerminating(error: unknown): boolean {
  return StatusError.is(error) && (error.details?.causes ?? []).some(({reason}) => reason === 'NamespaceTerminating');
}

/** Whether somebody else was faster: the object is gone, has changed, or exists already. */
export function isOvertaken(error: unknown): boolean {
  return isNotFound(error) || (StatusError.is(error) && error.code === 409);
}

/** What a call returns, or undefined if the object does not exist. */
export function ifFound<T>(call: Promise<T>): Promise<T | undefined> {
  return unless(isNotFound, call);
}

/** What a create returns, or undefined if the name is taken. */
export function unlessExists<T>(call: Promise<T>): Promise<T | undefined> {
  return unless(isAlreadyExists, call);
}

/** What a write returns, or undefined if somebody else was faster ({@link isOvertaken}). */
export function unlessOvertaken<T>(call: Promise<T>): Promise<T | undefined> {
  return unless(isOvertaken, call);
}

async function unless<T>(isExpected: (error: unknown) => boolean, call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
}
