import type {Change, JsonSchema} from './json-schema.js';

// Scripts import this file as it is: it has no imports but of types.

/** The first release that has something, and the first that has it no more. Without them it is in all releases. */
export interface Span {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Whether a release (`1.34`) has something. */
export function isPresent({since, until}: Span, release: string): boolean {
  return !(since !== undefined && isAfter(since, release)) && (until === undefined || isAfter(until, release));
}

/** What something has become by a release. @param changes oldest first */
export function withChanges<T extends object>(first: T, changes: readonly Change[] | undefined, release: string): T {
  const result: Record<string, unknown> = {...(first as Record<string, unknown>)};
  for (const {since, ...change} of changes ?? []) {
    if (isAfter(since, release)) break;
    for (const [member, value] of Object.entries(change)) {
      if (value === null) delete result[member];
      else result[member] = value;
    }
  }
  return result as T;
}

/**
 * A definition of a schema file as a release has it: without the properties of others, and without the keywords about releases
 * (`x-orch-since`, `x-orch-until`, `x-orch-changes`), which stand on definitions and on their properties. Parts that are the same in all releases
 * are not copied.
 *
 * @returns undefined if the release does not have the definition
 */
export function definitionAtRelease(definition: JsonSchema, release: string): JsonSchema | undefined {
  const at = schemaAtRelease(definition, release);
  const given = at?.properties;
  if (given === undefined) return at;
  const names = Object.keys(given);
  if (!names.some((name) => isMarked(given[name]!))) return at;
  const properties: Record<string, JsonSchema> = {};
  for (const name of names) {
    const property = schemaAtRelease(given[name]!, release);
    if (property !== undefined) properties[name] = property;
  }
  // In its place among the keywords.
  return Object.fromEntries(Object.entries(at!).map(([keyword, value]) => [keyword, keyword === 'properties' ? properties : value]));
}

/** When a schema is there. */
export function spanOf(schema: JsonSchema): Span {
  return {since: schema['x-orch-since'], until: schema['x-orch-until']};
}

function isMarked(schema: JsonSchema): boolean {
  return schema['x-orch-since'] !== undefined || schema['x-orch-until'] !== undefined || schema['x-orch-changes'] !== undefined;
}

function schemaAtRelease(schema: JsonSchema, release: string): JsonSchema | undefined {
  if (!isMarked(schema)) return schema;
  const {'x-orch-since': since, 'x-orch-until': until, 'x-orch-changes': changes, ...rest} = schema;
  return isPresent({since, until}, release) ? withChanges(rest, changes, release) : undefined;
}

/** Whether a release is later than another. */
export function isAfter(release: string, other: string): boolean {
  const [major = 0, minor = 0] = release.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number);
  return major > otherMajor || (major === otherMajor && minor > otherMinor);
}
