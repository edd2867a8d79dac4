import {messageLimits} from './message-limits.js';

const longest = messageLimits.path;
/** How much of the end of a longer path is shown, because that is where the error is. */
const shownEnd = 400;

/** A path for messages: a very long one is shortened in the middle. */
export function shownPath(path: string): string {
  return path.length <= longest ? path : `${path.slice(0, longest - shownEnd)}…${path.slice(-shownEnd)}`;
}
