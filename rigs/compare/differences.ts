import {isDeepStrictEqual} from 'node:util';
import type {Answer} from './answers.js';
import type {CompareRequest} from './compare-request.js';

/** The first in which two answers differ, in this order. */
export const differenceKinds = ['code', 'reason', 'causes', 'message', 'details', 'mediaType', 'warnings', 'object'] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

export interface Difference {
  readonly kind: DifferenceKind;
  readonly request: CompareRequest;
  readonly real: Answer;
  readonly own: Answer;
}

/** @returns undefined where nothing differs that a client can see */
export function differenceOf(request: CompareRequest, real: Answer, own: Answer): Difference | undefined {
  const kind = differenceKinds.find(
    // Answers that were recorded before details were compared have none.
    (name) => !(name === 'details' && real.details === undefined) && !isDeepStrictEqual(plain(real[name]), plain(own[name])),
  );
  return kind && {kind, request, real, own};
}

/** Without prototypes and members that are undefined, which JSON does not have. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** What the real and the own server say that the other does not, in short. Differences of the same kind have the same words. */
export function wordsOf({kind, real, own}: Difference): {real: string; own: string} {
  switch (kind) {
    case 'code':
      return {real: short(real), own: short(own)};
    case 'causes': {
      const [theirs, mine] = [causesOf(real), causesOf(own)];
      const [lacking, more] = [theirs.filter((one) => !mine.includes(one)), mine.filter((one) => !theirs.includes(one))];
      return lacking.length + more.length > 0
        ? {real: lacking.join(' | '), own: more.join(' | ')}
        : {real: theirs.join(' | '), own: mine.join(' | ')};
    }
    case 'object': {
      const [theirs, mine] = [leaves(real.object), leaves(own.object)];
      return {real: theirs.filter((one) => !mine.includes(one)).join(', '), own: mine.filter((one) => !theirs.includes(one)).join(', ')};
    }
    default:
      return {real: JSON.stringify(real[kind] ?? null), own: JSON.stringify(own[kind] ?? null)};
  }
}

function short({code, reason, message}: Answer): string {
  return `${code} ${reason ?? ''} ${message ?? ''}`;
}

function causesOf({causes}: Answer): string[] {
  return (causes ?? []).map(({field, reason, message}) => `${field}: ${reason}: ${message}`);
}

/** Each value of an object with its path. */
export function leaves(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [`${path}=${JSON.stringify(value)}`];
  const entries = Object.entries(value);
  return entries.length === 0
    ? [`${path}=${Array.isArray(value) ? '[]' : '{}'}`]
    : entries.flatMap(([key, one]) => leaves(one, `${path}.${key}`));
}

/** The words of a difference without the values and places that vary: differences with one cause have the same. */
export function signatureOf(difference: Difference): string {
  const {real, own} = wordsOf(difference);
  return `${difference.kind} ${general(real)} / ${general(own)}`;
}

function general(text: string): string {
  return text
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replaceAll(/\[\d+\]|\.\d+(?=[.=])/g, '[]')
    .replaceAll(/(^|[ |,])(?:[\w-]+(?:\[\])?\.)*(\w+(?:\[\])?: Field)/g, '$1…$2')
    .replaceAll(/-?\d+/g, 'N')
    .slice(0, 300);
}
