import {shownPath} from '../../../sdk/index.js';

/** At most this many duplicates are reported, so that a body full of them does not inflate the response. */
export const maximumReported = 100;

/** Collects the paths of members that occur more than once, each path once, in order of discovery. */
export class DuplicatePaths {
  readonly #paths = new Set<string>();

  add(path: string): void {
    if (this.#paths.size < maximumReported) this.#paths.add(shownPath(path));
  }

  list(): string[] {
    return [...this.#paths];
  }
}

/** The path of a member for messages: `spec.replicas`; just the name at the root. Very long names are shortened in the middle. */
export function memberPath(parent: string, name: string): string {
  return parent === '' ? shownPath(name) : `${parent}.${shownPath(name)}`;
}
