import {shownPath} from '../../../sdk/index.js';

/** More duplicates than this are not reported: a body made of nothing else must not grow the answer. */
const maximumReported = 100;

/** Collects the paths of members that stand more than once, each path once, in the order in which they are found. */
export class DuplicatePaths {
  readonly #paths = new Set<string>();

  add(path: string): void {
    if (this.#paths.size < maximumReported) this.#paths.add(shownPath(path));
  }

  list(): string[] {
    return [...this.#paths];
  }
}

/** The path of a member for messages: `spec.replicas`; at the root just the name. Of a very long name the middle is left out. */
export function memberPath(parent: string, name: string): string {
  return parent === '' ? shownPath(name) : `${parent}.${shownPath(name)}`;
}
