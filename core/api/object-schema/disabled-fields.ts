import type {ApiObject, FeatureGates, JsonObject, JsonValue} from '../../../sdk/index.js';
import type {JsonSchema} from '../schema/json-schema.js';
import type {SchemaCatalog} from './schema-catalog.js';

/** Steps to a field: names of members, and `each` for all items of a list or all values of a map. */
type Path = readonly (string | typeof each)[];

const each = Symbol('each');

/** The fields of a type whose feature gates are off: dropped on writes, unless the stored object uses them. */
export class DisabledFields {
  readonly #paths: readonly Path[];

  private constructor(paths: readonly Path[]) {
    this.#paths = paths;
  }

  /**
   * Those of a type of a schema file.
   *
   * @param reference of its schema (`core/v1#/definitions/Pod`)
   * @returns undefined if there are none
   */
  static of(catalog: SchemaCatalog, reference: string, gates: FeatureGates): DisabledFields | undefined {
    const paths = [...pathsBelow(catalog, {$ref: reference}, '', [], gates)];
    return paths.length === 0 ? undefined : new DisabledFields(paths);
  }

  /** Modifies `object`. @param old the stored object; undefined for a new one */
  drop(object: ApiObject, old: ApiObject | undefined): void {
    for (const path of this.#paths) {
      if (old === undefined || !isUsed(old as unknown as JsonObject, path, 0)) remove(object as unknown as JsonObject, path, 0);
    }
  }
}

/** @param from id of the document that contains the schema @param open references on the way, as schemas may contain themselves */
function* pathsBelow(
  catalog: SchemaCatalog,
  schema: JsonSchema,
  from: string,
  open: readonly string[],
  gates: FeatureGates,
): Generator<Path> {
  if (schema.$ref !== undefined) {
    const {documentId, name, schema: target} = catalog.definition(schema.$ref, from);
    const key = `${documentId} ${name}`;
    if (!open.includes(key)) yield* pathsBelow(catalog, target, documentId, [...open, key], gates);
    return;
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const gate = property['x-orch-feature-gate'];
    if (gate?.split(',').some((name) => !gates.enabled(name))) yield [name];
    else for (const rest of pathsBelow(catalog, property, from, open, gates)) yield [name, ...rest];
  }
  for (const values of [schema.items, schema.additionalProperties]) {
    if (typeof values === 'object') for (const rest of pathsBelow(catalog, values, from, open, gates)) yield [each, ...rest];
  }
}

function isUsed(value: JsonValue | undefined, path: Path, at: number): boolean {
  if (at === path.length) return value !== undefined && value !== null;
  return childrenOf(value, path[at]!).some((child) => isUsed(child, path, at + 1));
}

function remove(value: JsonValue | undefined, path: Path, at: number): void {
  const step = path[at]!;
  if (at < path.length - 1) for (const child of childrenOf(value, step)) remove(child, path, at + 1);
  else if (typeof step === 'string' && isObject(value)) delete value[step];
}

function childrenOf(value: JsonValue | undefined, step: Path[number]): readonly (JsonValue | undefined)[] {
  if (typeof value !== 'object' || value === null) return [];
  if (step === each) return Object.values(value);
  return isObject(value) && Object.hasOwn(value, step) ? [value[step]] : [];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
