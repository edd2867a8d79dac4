/** More duplicates than this are not reported: a body made of nothing else must not grow the answer. */
const maximumReported = 100;

/** Collects the paths of members that stand more than once, each path once, in the order in which they are found. */
export class DuplicatePaths {
  private readonly paths = new Set<string>();

  add(path: string): void {
    if (this.paths.size < maximumReported) this.paths.add(path);
  }

  list(): string[] {
    return [...this.paths];
  }
}

/** The path of a member: `spec.replicas`; at the root just the name. */
export function memberPath(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`;
}
