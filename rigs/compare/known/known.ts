import type {Answer, Cause} from '../answers.js';
import {leaves, type Difference} from '../differences.js';
import {withOwnPaths} from './go-paths.js';
import {isSameInWords} from './cause-words.js';
import {placeOrEmpty, saysEmpty} from './places.js';

/** A difference that stays, and why. */
export interface Known {
  readonly reason: string;
  readonly is: (difference: Difference) => boolean;
}

/** What may differ beside what is the same, by type and field. Without a pattern, a side must have nothing that the other lacks. */
interface Bounds {
  /** Of which requests. */
  readonly about: RegExp;
  readonly real?: RegExp;
  readonly own?: RegExp;
}

const nothing = /^(?!)/;

function beside(some: readonly string[], others: readonly string[]): string[] {
  return some.filter((one) => !others.includes(one));
}

/** Both refuse, with causes that differ within bounds. */
export function causesBut({about, real: theirs = nothing, own: mine = nothing}: Bounds): Known['is'] {
  return ({kind, request, real, own}) => {
    if (kind !== 'causes' || !about.test(request.about)) return false;
    const [ofReal, ofOwn] = [withOwnPaths(real.causes ?? [], request), own.causes ?? []];
    const [real1, own1] = [ofReal.map(placeOrEmpty), ofOwn.map(placeOrEmpty)];
    // What both refuse they refuse in the same words, but for what is empty.
    const isBoth = (cause: Cause) => !saysEmpty(cause) && real1.includes(placeOrEmpty(cause)) && own1.includes(placeOrEmpty(cause));
    if (!isSameInWords(ofReal.filter(isBoth), ofOwn.filter(isBoth))) return false;
    return beside(real1, own1).every((place) => theirs.test(place)) && beside(own1, real1).every((place) => mine.test(place));
  };
}

/** Both store, with members that differ within bounds. */
export function objectBut({about, real: theirs = nothing, own: mine = nothing}: Bounds): Known['is'] {
  return ({kind, request, real, own}) => {
    if (kind !== 'object' || !about.test(request.about)) return false;
    const [real1, own1] = [leaves(real.object), leaves(own.object)];
    const [lacking, more] = [beside(real1, own1), beside(own1, real1)];
    return lacking.length + more.length > 0 && lacking.every((leaf) => theirs.test(leaf)) && more.every((leaf) => mine.test(leaf));
  };
}

export const isRefused = ({code}: Answer) => code === 422;
const isTaken = ({code}: Answer) => code === 200 || code === 201;

/** One side alone refuses, and only for this. */
export function codeBut({about, real: theirs, own: mine}: Bounds): Known['is'] {
  return ({kind, request, real, own}) => {
    if (kind !== 'code' || !about.test(request.about)) return false;
    const [refusal, other, pattern] = theirs ? [real, own, theirs] : [own, real, mine ?? nothing];
    return isRefused(refusal) && isTaken(other) && (refusal.causes ?? []).every((cause) => pattern.test(placeOrEmpty(cause)));
  };
}
