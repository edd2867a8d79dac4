/** Paths in messages are no longer than this: names of members come from users and may be megabytes. In characters. */
const longest = 1000;
/** Of a longer path so much of its end is shown: what is wrong stands there. */
const shownEnd = 400;

/** A path as messages show it: what is very long loses its middle. */
export function shownPath(path: string): string {
  return path.length <= longest ? path : `${path.slice(0, longest - shownEnd)}…${path.slice(-shownEnd)}`;
}
