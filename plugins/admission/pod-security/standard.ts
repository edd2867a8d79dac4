/** Levels from the least to the most restrictive. */
const levels = ['privileged', 'baseline', 'restricted'] as const;

export type Level = (typeof levels)[number];

/** The minor version of a policy (26 for `v1.26`), or the newest that this release knows. */
export type PolicyVersion = number | 'latest';

/** A Pod Security Standard: a level as of a version. */
export interface Standard {
  readonly level: Level;
  readonly version: PolicyVersion;
}

/** `restricted:v1.24` */
export function standardText({level, version}: Standard): string {
  return `${level}:${version === 'latest' ? version : `v1.${version}`}`;
}

export function isSameStandard(left: Standard, right: Standard): boolean {
  return left.level === right.level && left.version === right.version;
}

/** Whether `level` allows less than `other`. */
export function isStricter(level: Level, other: Level): boolean {
  return levels.indexOf(level) > levels.indexOf(other);
}

/** Parses a level; undefined if it is invalid, for which `levelFault` has the message. */
export function parseLevel(text: string): Level | undefined {
  return levels.find((level) => level === text);
}

export const levelFault = `must be one of ${levels.join(', ')}`;

/** Parses a version (`latest`, `v1.26`); undefined if it is invalid, for which `versionFault` has the message. */
export function parseVersion(text: string): PolicyVersion | undefined {
  if (text === 'latest') return text;
  const [, minor] = /^v1\.(0|[1-9][0-9]*)$/.exec(text) ?? [];
  return minor !== undefined && Number.isSafeInteger(Number(minor)) ? Number(minor) : undefined;
}

export const versionFault = 'must be "latest" or "v1.x"';
