import type {JsonValue} from '../../../../sdk/index.js';
import type {SchemaNode} from '../../schema/schema-node.js';

/**
 * How a value is owned and merged: a `leaf` has one owner and is replaced as a whole, an `object` is owned member by member, a `list` item
 * by item.
 */
export type Shape = 'leaf' | 'object' | 'list';

const known = new WeakMap<SchemaNode, MergeSchema>();
let unknown: MergeSchema | undefined;

/**
 * How the values at one place of a schema are owned and merged (docs/semantics/apply.md#merging). Created once per node; children are
 * created on first use.
 *
 * If the schema says nothing about a value (preserved unknown members, values of any type), the value itself decides: objects are owned
 * member by member, lists as a whole.
 */
export class MergeSchema {
  /** How lists merge; `none` if the place cannot contain a list. */
  readonly lists: 'atomic' | 'set' | 'map' | 'none';
  /** How objects merge; `none` if the place cannot contain an object. */
  readonly objects: 'atomic' | 'granular' | 'none';
  /** Keys of the items of a list of type map, in alphabetical order. */
  readonly keys: readonly string[];
  readonly #node: SchemaNode | undefined;
  readonly #members = new Map<string, MergeSchema>();
  #items: MergeSchema | undefined;
  #others: MergeSchema | null | undefined;

  private constructor(node: SchemaNode | undefined) {
    this.#node = node;
    const type = node?.type ?? 'any';
    const list = type === 'array' ? node!.listType : type === 'any' ? 'atomic' : 'none';
    this.keys = list === 'map' ? [...node!.listMapKeys].sort() : [];
    this.lists = list;
    this.objects = type === 'object' || type === 'any' ? (node?.mapType ?? 'granular') : 'none';
  }

  /** The schema of values about which nothing is known. */
  static get unknown(): MergeSchema {
    return (unknown ??= new MergeSchema(undefined));
  }

  static of(node: SchemaNode): MergeSchema {
    let schema = known.get(node);
    if (!schema) known.set(node, (schema = new MergeSchema(node)));
    return schema;
  }

  /** Whether both objects and lists may occur because nothing is known. */
  get isUnknown(): boolean {
    return this.lists !== 'none' && this.objects !== 'none';
  }

  /** The shape of a value. A null has the shape of the empty value it represents. */
  shape(value: JsonValue): Shape {
    if (typeof value !== 'object') return 'leaf';
    if (value === null) return this.objects === 'granular' ? 'object' : this.isGranularList ? 'list' : 'leaf';
    if (Array.isArray(value)) return this.isGranularList ? 'list' : 'leaf';
    return this.objects === 'granular' ? 'object' : 'leaf';
  }

  get isGranularList(): boolean {
    return this.lists === 'set' || this.lists === 'map';
  }

  /** Whether the member is a field of a structure rather than a key of a map. */
  declares(name: string): boolean {
    return this.#node !== undefined && this.#node.properties.has(name);
  }

  /** The schema of a member; undefined if no such member is possible. */
  member(name: string): MergeSchema | undefined {
    const found = this.#members.get(name);
    if (found) return found;
    const property = this.#node?.properties.get(name);
    if (!property) return this.#other();
    const schema = MergeSchema.of(property);
    this.#members.set(name, schema);
    return schema;
  }

  get items(): MergeSchema {
    return (this.#items ??= this.#node?.items ? MergeSchema.of(this.#node.items) : MergeSchema.unknown);
  }

  /** The default of a key field, used for items that leave it out. */
  keyDefault(name: string): JsonValue | undefined {
    const property = this.#node?.items?.properties.get(name);
    if (property === undefined || property.default !== undefined) return property?.default as JsonValue | undefined;
    // What is always written has its zero value by default, as Kubernetes publishes it.
    if (property.presence !== 'always') return undefined;
    return property.type === 'string' ? '' : property.type === 'integer' ? 0 : undefined;
  }

  #other(): MergeSchema | undefined {
    if (this.#others === undefined) {
      const {additional, preserveUnknown, type} = this.#node ?? {};
      this.#others = additional
        ? MergeSchema.of(additional)
        : !this.#node || preserveUnknown || type === 'any'
          ? MergeSchema.unknown
          : null;
    }
    return this.#others ?? undefined;
  }
}
