/** Ways out of a folder, as far as a path can say them. */
const climbs = [
  '../',
  '..%2f',
  '%2e%2e/',
  '%2e%2e%2f',
  '..\\',
  '..%5c',
  '....//',
  '%252e%252e/',
  '..;/',
  './../',
  '%c0%ae%c0%ae/',
  '..%00/',
];

/** Paths that begin in a folder of a server and would lead to files outside of it, one level up, three and eight. */
export function climbingPaths(folder: string, targets: readonly string[]): string[] {
  return climbs.flatMap((climb) => targets.flatMap((target) => [1, 3, 8].map((depth) => `${folder}${climb.repeat(depth)}${target}`)));
}
