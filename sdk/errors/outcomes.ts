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

/**
 * Does work that writes something, and does it again when somebody else was first ({@link isConflict}).
 *
 * @param attempts how often at most; then the conflict is thrown
 * @param work gets the last conflict, undefined at first: after one it reads anew what it writes. By throwing it the work gives up
 */
export async function retryOnConflict<T>(attempts: number, work: (conflict: unknown) => Promise<T>): Promise<T> {
  for (let attempt = 1, conflict: unknown; ; attempt += 1) {
    try {
      return await work(conflict);
    } catch (error) {
      if (!isConflict(error) || error === conflict || attempt === attempts) throw error;
      conflict = error;
    }
  }
}

async function unless<T>(isExpected: (error: unknown) => boolean, call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
}
