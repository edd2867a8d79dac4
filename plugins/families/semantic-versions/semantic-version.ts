/** A version of a program, such as `1.33.0-rc.1`. */
export interface SemanticVersion {
  readonly numbers: readonly [major: bigint, minor: bigint, patch: bigint];
  /** What follows the hyphen, between its dots. */
  readonly prerelease: readonly string[];
}

const number = '(0|[1-9]\\d*)';
const identifier = '(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)';
const pattern = new RegExp(
  `^${number}\\.${number}\\.${number}(?:-(${identifier}(?:\\.${identifier})*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
);
const longest = 256;

/** @returns undefined for what is no version by semver.org */
export function parseSemanticVersion(text: string): SemanticVersion | undefined {
  const match = text.length > longest ? null : pattern.exec(text);
  if (!match) return undefined;
  return {numbers: [BigInt(match[1]!), BigInt(match[2]!), BigInt(match[3]!)], prerelease: match[4]?.split('.') ?? []};
}

/** Negative if the first version is older, 0 if they have the same precedence. */
export function compareSemanticVersions(a: SemanticVersion, b: SemanticVersion): number {
  for (const [index, value] of a.numbers.entries()) if (value !== b.numbers[index]) return value < b.numbers[index]! ? -1 : 1;
  // A release is newer than what led to it.
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return b.prerelease.length - a.prerelease.length;
  for (const [index, part] of a.prerelease.entries()) {
    const other = b.prerelease[index];
    if (other === undefined) return 1;
    if (part !== other) return compareParts(part, other);
  }
  return a.prerelease.length - b.prerelease.length;
}

/** Numbers are older than texts. */
function compareParts(a: string, b: string): number {
  const [left, right] = [a, b].map((part) => (/^\d+$/.test(part) ? BigInt(part) : undefined));
  if (left === undefined || right === undefined) return left === right ? (a < b ? -1 : 1) : left === undefined ? 1 : -1;
  return left < right ? -1 : 1;
}
