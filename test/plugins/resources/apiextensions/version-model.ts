import type {Random} from '../../../helpers/random.js';

/** A JSON object with members of any name; made by `JSON.parse` or `members`, so that `__proto__` is one of them. */
export type Members = {[name: string]: unknown};

/** A structural schema of the kinds that `randomSchema` makes. */
export interface Schema {
  readonly type?: string;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly properties?: {readonly [name: string]: Schema};
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
}

/** An object as a store keeps it: what it has beside metadata, in the version it was written in. */
export interface Stored {
  readonly version: string;
  readonly spec: Members | undefined;
}

/** The schemas of `spec` by version, and the version that is stored. */
export interface Model {
  readonly schemas: ReadonlyMap<string, Schema>;
  readonly storage: string;
}

/** An object of entries, none of whose names means anything. */
export function members(entries: Iterable<readonly [string, unknown]>): Members {
  return Object.fromEntries(entries);
}

/** The first letter of a name tells the type of its field, so that values fit whatever the schema says next. */
const names = ['s1', 's2', 'n1', 'n2', 'o1', 'o2', 'l1', 'm1', 'p1', '__proto__', 'constructor'];
const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

function fieldSchema(random: Random, name: string, depth: number): Schema {
  switch (name[0]) {
    case 'n':
      return {type: 'integer', ...(random.chance(0.4) ? {default: random.below(9)} : {})};
    case 'o':
      return {...randomSchema(random, depth + 1), ...(random.chance(0.3) ? {default: {}} : {})};
    case 'l':
      return {type: 'array', items: randomSchema(random, depth + 1)};
    case 'm':
      return {
        type: 'object',
        additionalProperties: random.chance(0.5) ? {type: 'string', nullable: random.chance(0.5)} : randomSchema(random, depth + 1),
      };
    case 'p':
      return {...randomSchema(random, depth + 1), 'x-kubernetes-preserve-unknown-fields': true};
    default:
      return {type: 'string', nullable: random.chance(0.4), ...(random.chance(0.4) ? {default: random.pick(['x', 'y', ''])} : {})};
  }
}

/** A schema of an object with some of the fields that there may be. */
export function randomSchema(random: Random, depth = 0): Schema {
  const chosen = names.filter((name) => random.chance(depth > 1 ? 0.15 : 0.55) && (depth < 3 || 'snc_'.includes(name[0]!)));
  return {type: 'object', properties: members(chosen.map((name) => [name, fieldSchema(random, name, depth)])) as Record<string, Schema>};
}

/** A value for the fields that there may be, specified or not. */
export function randomSpec(random: Random, depth = 0): Members {
  const chosen = names.filter((name) => random.chance(depth > 0 ? 0.3 : 0.5) && (depth < 3 || 'snc_'.includes(name[0]!)));
  return members(chosen.map((name) => [name, fieldValue(random, name, depth)]));
}

function fieldValue(random: Random, name: string, depth: number): unknown {
  if (random.chance(0.1)) return null;
  switch (name[0]) {
    case 'n':
      return random.pick([0, 1, -5]);
    case 'l':
      return Array.from({length: random.below(3)}, () => randomSpec(random, depth + 1));
    case 'o':
    case 'p':
      return randomSpec(random, depth + 1);
    case 'm':
      return members(['k', '__proto__'].filter(() => random.chance(0.5)).map((key) => [key, null]));
    default:
      return random.pick(['', 'a', 'b', 'x']);
  }
}

/** Without what the schema does not specify, and without nulls where they may not be. */
export function pruned(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return schema.items ? value.map((item) => pruned(schema.items!, item)) : value;
  if (!isObject(value)) return value;
  const result: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const child = own(schema.properties, name) ?? schema.additionalProperties;
    if (!child) {
      if (schema['x-kubernetes-preserve-unknown-fields']) result.push([name, member]);
    } else if (member !== null) result.push([name, pruned(child, member)]);
    else if (child.nullable) result.push([name, null]);
  }
  return members(result);
}

/** With the defaults of the schema where nothing is. */
export function filled(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return schema.items ? value.map((item) => filled(schema.items!, item)) : value;
  if (!isObject(value)) return value;
  const result = new Map(Object.entries(value));
  for (const [name, child] of Object.entries(schema.properties ?? {}))
    if (child.default !== undefined && !result.has(name)) result.set(name, child.default);
  return members(
    [...result].map(([name, member]) => {
      const child = own(schema.properties, name) ?? schema.additionalProperties;
      return [name, child ? filled(child, member) : member];
    }),
  );
}

/** RFC 7396. */
export function merged(value: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result = new Map(Object.entries(isObject(value) ? value : {}));
  for (const [name, member] of Object.entries(patch)) {
    if (member === null) result.delete(name);
    else result.set(name, merged(result.get(name), member));
  }
  return members(result);
}

/** What a client sent, as the version takes it. */
export function taken(model: Model, version: string, spec: unknown): Members {
  const schema = model.schemas.get(version)!;
  return filled(schema, pruned(schema, spec)) as Members;
}

/** An object that a client wrote in a version, as it is stored. */
export function toStored(model: Model, version: string, spec: Members): Stored {
  const {storage} = model;
  return {version: storage, spec: version === storage ? spec : taken(model, storage, spec)};
}

/** A stored object as its own version has it by now. */
export function upToDate(model: Model, {version, spec}: Stored): Members | undefined {
  return spec && taken(model, version, spec);
}

/** A stored object as a request in a version sees it. */
export function seen(model: Model, stored: Stored, version: string): Members | undefined {
  const current = upToDate(model, stored);
  return current && version !== stored.version ? (pruned(model.schemas.get(version)!, current) as Members) : current;
}

/** The same for values that are equal, whatever the order of their members. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'none';
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`)
    .sort()
    .join(',')}}`;
}

function own<T>(map: {readonly [name: string]: T} | undefined, name: string): T | undefined {
  return map && Object.hasOwn(map, name) ? map[name] : undefined;
}
