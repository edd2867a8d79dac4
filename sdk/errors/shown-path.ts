/** Maximum characters of paths in messages: names of members come from users and may be megabytes. */
const longest = 1000;
/** How much of the end of a longer path is shown, because that is where the error is. */
const shownEnd = 400;

/** A path for messages: a very long one is shortened in the middle. */
export function shownPath(path: string): string {
  return path.length <= longest ? path : `${path.slice(0, longest - shownEnd)}…${path.slice(-shownEnd)}`;
}
