import {createHash} from 'node:crypto';
import {StorageError} from '../storage-error.js';

/** The content of a continue token. Any server on the same store can serve it. */
export interface ContinuePosition {
  /** Version of the collection; -1 continues with the current state, whatever was returned before. */
  readonly revision: number;
  /** Key of the last item returned. */
  readonly after: string;
  /** When the first chunk was made, in milliseconds since 1970: the token's lifetime starts then. */
  readonly since: number;
  /** Items left after `after`; absent with selectors. */
  readonly remaining?: number;
}

/** The revision of a token that continues with the current state. */
export const inconsistentRevision = -1;

const version = 1;

/**
 * @param scope identifies the list: a token is refused for any other
 */
export function encodeContinueToken(position: ContinuePosition, scope: string): string {
  const {revision, after, since, remaining} = position;
  return Buffer.from(JSON.stringify({v: version, rv: revision, k: after, t: since, n: remaining, s: digest(scope)})).toString('base64url');
}

/** @throws StorageError `InvalidContinue` for anything that is not a token for `scope` */
export function decodeContinueToken(token: string, scope: string): ContinuePosition {
  const {v, rv, k, t, n, s} = parse(token);
  const validRevision = Number.isSafeInteger(rv) && ((rv as number) >= 0 || rv === inconsistentRevision);
  const validCount = n === undefined || (Number.isSafeInteger(n) && (n as number) >= 0);
  if (v !== version || !validRevision || typeof k !== 'string' || !Number.isFinite(t) || !validCount) {
    throw invalid(`server does not recognize this encoded version ${typeof v === 'string' ? v.slice(0, shownCharacters) : ''}`);
  }
  if (s !== digest(scope)) throw invalid('it belongs to a list of something else');
  return {revision: rv as number, after: k, since: t as number, ...(n === undefined ? {} : {remaining: n as number})};
}

/** Characters of a token's version that a message shows. */
const shownCharacters = 64;

/** Of a foreign token it is said what Kubernetes says, in the words of Go's decoders. */
function parse(token: string): Record<string, unknown> {
  const misplaced = /[^\w-]/.exec(token)?.index ?? (token.length % 4 === 1 ? token.length - 1 : undefined);
  if (misplaced !== undefined) throw invalid(`illegal base64 data at input byte ${misplaced}`);
  const text = Buffer.from(token, 'base64url').toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch (error) {
    throw invalid(`invalid character ${JSON.stringify(text.slice(0, 1)).replaceAll('"', "'")} looking for beginning of value`, error);
  }
  throw invalid('server does not recognize this encoded version ');
}

function invalid(problem: string, cause?: unknown): StorageError {
  return new StorageError({code: 'InvalidContinue', problem}, {cause});
}

function digest(scope: string): string {
  return createHash('sha256').update(scope).digest('base64url').slice(0, 12);
}
