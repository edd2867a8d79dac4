import type {AuthenticatedUser} from '../../../sdk/index.js';

interface Answer {
  apiVersion?: unknown;
  status?: {
    authenticated?: unknown;
    user?: {username?: unknown; uid?: unknown; groups?: unknown; extra?: unknown} | null;
    audiences?: unknown;
    error?: unknown;
  } | null;
}

/** Maximum characters of an error in the response. */
const longestError = 1000;

/** A remote service's verdict on a token. */
export type Verdict = {readonly user: AuthenticatedUser} | {readonly refused: string | undefined};

/**
 * Reads the response to a TokenReview (docs/semantics/access.md#token-webhook). Everything except `status` is ignored.
 *
 * @param audiences the requested ones; empty if none were requested
 * @throws Error if it does not answer this question
 */
export function readAnswer(body: unknown, apiVersion: string, audiences: readonly string[]): Verdict {
  const {apiVersion: given, status} = (body ?? {}) as Answer;
  if (given !== apiVersion) throw new Error(`the answer is not in the version ${apiVersion}`);
  if (status?.authenticated !== true)
    return {refused: typeof status?.error === 'string' && status.error !== '' ? status.error.slice(0, longestError) : undefined};
  const {username, uid, groups, extra} = status.user ?? {};
  if (typeof username !== 'string' || username === '') throw new Error('the answer names no user');
  const valid = texts(status.audiences, 'audiences');
  const named = new Set(valid);
  const found = audiences.filter((audience) => named.has(audience));
  // A response without audiences is about this server.
  if (audiences.length > 0 && valid.length > 0 && found.length === 0) return {refused: undefined};
  return {
    user: {
      username,
      groups: texts(groups, 'user.groups'),
      ...(found.length > 0 ? {audiences: found} : {}),
      ...(typeof uid === 'string' && uid !== '' ? {uid} : {}),
      ...(extra === undefined || extra === null ? {} : {extra: extraOf(extra)}),
    },
  };
}

function extraOf(extra: unknown): Record<string, string[]> {
  if (typeof extra !== 'object') throw new Error('the answer has an unusable user.extra');
  return Object.fromEntries(Object.entries(extra as object).map(([key, values]) => [key, texts(values, `user.extra[${key}]`)]));
}

function texts(value: unknown, what: string): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every((item): item is string => typeof item === 'string'))
    throw new Error(`the answer has an unusable ${what}`);
  return value;
}
