import type {JsonObject, JsonValue} from '../../sdk/index.js';
import type {BuiltInTables, FoundMessage, Table, TableField} from './built-in-tables.js';

/** Values of types whose JSON form is not a list of fields; `count` makes them differ. */
const special: Readonly<Record<string, (count: number) => JsonValue>> = {
  'meta.v1.Time': (count) => `2001-02-03T04:05:${String(count % 60).padStart(2, '0')}Z`,
  'meta.v1.MicroTime': (count) => `2001-02-03T04:05:06.${String(count % 1_000_000).padStart(6, '0')}Z`,
  'meta.v1.Duration': (count) => `1h${(count % 58) + 1}m30s`,
  'meta.v1.FieldsV1': (count) => ({[`f:field-${count}`]: {}}),
  'resource.Quantity': (count) => (count % 2 === 0 ? `${10 * count + 1}m` : `${count}Gi`),
  'intstr.IntOrString': (count) => (count % 2 === 0 ? count : `${count}%`),
  'runtime.RawExtension': (count) => ({apiVersion: 'demo.example/v1', kind: 'Any', count}),
  'apiextensions.v1.JSON': (count) => ({count}),
  'apiextensions.v1.JSONSchemaPropsOrBool': (count) => (count % 2 === 0 ? true : {format: `format-${count}`}),
  'apiextensions.v1.JSONSchemaPropsOrArray': (count) =>
    count % 2 === 0 ? {format: `format-${count}`} : [{format: `format-${count}`}, {title: 'second'}],
  'apiextensions.v1.JSONSchemaPropsOrStringArray': (count) => (count % 2 === 0 ? {format: `format-${count}`} : [`text-${count}`, 'second']),
};

/** Makes objects with every field of their kind filled, by the tables of the built-in types. They mean nothing. */
export class FullObjects {
  readonly #tables: BuiltInTables;
  #count = 0;

  constructor(tables: BuiltInTables) {
    this.#tables = tables;
  }

  /** Members stand in the order of the table, which is that of the JSON form. The same kind gives the same object. */
  object({table, name}: Pick<FoundMessage, 'table' | 'name'>): JsonObject {
    this.#count = 0;
    const apiVersion = table.group === '' ? table.version : `${table.group}/${table.version}`;
    return {apiVersion, kind: name, ...(this.#message({table, name, message: table.messages[name]!}, []) as JsonObject)};
  }

  #message({table, name, message}: FoundMessage, above: readonly string[]): JsonValue {
    const id = `${table.key}.${name}`;
    const value = special[id];
    if (value) return value(++this.#count);
    if (message.alias?.startsWith('[]')) return [`text-${++this.#count}`, `text-${++this.#count}`];
    if (message.alias) return this.#message(this.#tables.find(table, message.alias)!, above);
    const object: JsonObject = {};
    for (const field of message.fields) {
      const inlined = field.inline !== undefined && this.#tables.find(table, field.inline);
      if (inlined && inlined.name !== 'TypeMeta') Object.assign(object, this.#message(inlined, above));
      // A schema within a schema would go on for ever.
      else if (field.name && !above.includes(field.pb ?? '')) object[field.name] = this.#field(table, field, [...above, name]);
    }
    return object;
  }

  #field(table: Table, field: TableField, above: readonly string[]): JsonValue {
    const one = () => this.#value(table, field, above);
    if (field.card === 'map') return {'key-1': one(), 'key-2': one()};
    if (field.card === 'repeated' || (field.pb === undefined && field.go!.startsWith('[]') && field.go !== '[]byte')) return [one(), one()];
    return one();
  }

  #value(table: Table, field: TableField, above: readonly string[]): JsonValue {
    const type = field.pb ?? field.go!.replace(/^\*?(?:\[\])?/, '');
    const closed = this.#tables.closedValues(table, field.enum);
    const count = ++this.#count;
    if (closed && closed.length > 0) return closed[count % closed.length]!;
    const found = this.#tables.find(table, type);
    if (found) return this.#message(found, above);
    switch (type) {
      case 'bool':
        return true;
      case 'int32':
      case 'uint32':
        return count % 3 === 0 ? -count : 1000 * count;
      case 'int64':
        return count % 3 === 0 ? -count : 2 ** 40 + count;
      case 'double':
      case 'float64':
        return count + 0.5;
      case 'bytes':
        return Buffer.from(`bytes-${count}`).toString('base64');
      default:
        return `text-${count}`;
    }
  }
}
