import protobuf from 'protobufjs';
import type {JsonObject, JsonValue} from '../../sdk/index.js';
import type {BuiltInTables, FoundMessage, TableField} from './built-in-tables.js';

type Message = Record<string, unknown>;
const scalars = new Set(['string', 'bool', 'int32', 'int64', 'uint32', 'double', 'bytes']);
const jsonBytes = (value: JsonValue) => ({f1: Buffer.from(JSON.stringify(value))});

/** Absent values of these have a form of their own. */
const emptyOf: Readonly<Record<string, JsonValue>> = {
  'intstr.IntOrString': 0,
  'resource.Quantity': '0',
  'meta.v1.Time': null,
  'meta.v1.MicroTime': null,
};

/** What is neither a pointer nor a list, a map or bytes is written even when it is empty. */
function isAlwaysWritten({go, card, pb}: TableField): boolean {
  return go !== undefined && !go.startsWith('*') && card === undefined && pb !== 'bytes';
}

/**
 * The binary form as protobufjs writes it by the tables of the built-in types: neither the schemas nor the codec of the server have a part
 * in it. Fields are called `f` and their number.
 */
export class ReferenceMessages {
  readonly #tables: BuiltInTables;
  readonly #root = new protobuf.Root();
  readonly #types = new Map<string, protobuf.Type>();

  constructor(tables: BuiltInTables) {
    this.#tables = tables;
    this.#root.define('library').add(
      new protobuf.Type('Unknown')
        .add(new protobuf.Field('f1', 1, 'TypeMeta'))
        .add(new protobuf.Field('f2', 2, 'bytes'))
        .add(new protobuf.Field('f3', 3, 'string'))
        .add(new protobuf.Field('f4', 4, 'string'))
        .add(new protobuf.Type('TypeMeta').add(new protobuf.Field('f1', 1, 'string')).add(new protobuf.Field('f2', 2, 'string'))),
    );
  }

  /** An object with its envelope. */
  encode(found: FoundMessage, object: JsonObject): Buffer {
    const {apiVersion, kind, ...members} = object;
    const type = this.#typeOf(found);
    const raw = type.encode(this.#message(found, members)).finish();
    const envelope = this.#root.lookupType('library.Unknown').encode({f1: {f1: apiVersion, f2: kind}, f2: raw, f3: '', f4: ''});
    return Buffer.concat([Buffer.from([0x6b, 0x38, 0x73, 0x00]), envelope.finish()]);
  }

  #typeOf({table, name, message}: FoundMessage): protobuf.Type {
    if (message.alias?.includes('.')) return this.#typeOf(this.#tables.find(table, message.alias)!);
    const id = `${table.key}.${name}`.replaceAll('.', '_');
    const known = this.#types.get(id);
    if (known) return known;
    const type = new protobuf.Type(id);
    this.#types.set(id, type);
    this.#root.add(type);
    for (const field of message.fields) {
      if (field.num === undefined) continue;
      const found = this.#tables.find(table, field.pb!);
      if (!found && !scalars.has(field.pb!)) throw new Error(`${id}: no message ${field.pb}`);
      const target = found ? this.#typeOf(found).name : field.pb!;
      if (field.card === 'map') type.add(new protobuf.MapField(`f${field.num}`, field.num, field.mapKey ?? 'string', target));
      else type.add(new protobuf.Field(`f${field.num}`, field.num, target, field.card === 'repeated' ? 'repeated' : undefined));
    }
    return type;
  }

  #message(found: FoundMessage, value: JsonValue): Message {
    const {table, name, message} = found;
    const special = this.#special(`${table.key}.${name}`, value, found);
    if (special) return special;
    if (message.alias?.startsWith('[]')) return {f1: value};
    if (message.alias) return this.#message(this.#tables.find(table, message.alias)!, value);
    const object = value as JsonObject;
    const result: Message = {};
    for (const field of message.fields) {
      if (field.num === undefined) continue;
      if (field.inline !== undefined) result[`f${field.num}`] = this.#message(this.#tables.find(table, field.inline)!, object);
      else if (field.name && object[field.name] !== undefined) result[`f${field.num}`] = this.#field(found, field, object[field.name]!);
      else if (isAlwaysWritten(field)) result[`f${field.num}`] = this.#empty(found, field);
    }
    return result;
  }

  #field(owner: FoundMessage, field: TableField, value: JsonValue): unknown {
    const found = this.#tables.find(owner.table, field.pb!);
    const one = (item: JsonValue) =>
      found ? this.#message(found, item) : field.pb === 'bytes' ? Buffer.from(item as string, 'base64') : item;
    if (field.card === 'repeated') return (value as JsonValue[]).map(one);
    if (field.card === 'map') return Object.fromEntries(Object.entries(value as JsonObject).map(([key, item]) => [key, one(item!)]));
    return one(value);
  }

  #empty({table}: FoundMessage, field: TableField): unknown {
    const found = this.#tables.find(table, field.pb!);
    const id = found && `${found.table.key}.${found.name}`;
    if (found) return this.#message(found, Object.hasOwn(emptyOf, id!) ? emptyOf[id!]! : {});
    return field.pb === 'string' ? '' : field.pb === 'bool' ? false : 0;
  }

  /** The message of a type whose JSON form is not a list of its fields. */
  #special(id: string, value: JsonValue, {table}: FoundMessage): Message | undefined {
    const schema = (item: JsonValue) => this.#message(this.#tables.find(table, 'JSONSchemaProps')!, item);
    if (value === null) return {};
    switch (id) {
      case 'meta.v1.Time':
      case 'meta.v1.MicroTime':
        return {f1: Math.floor(Date.parse(value as string) / 1000), f2: Number(/\.(\d{6})Z$/.exec(value as string)?.[1] ?? 0) * 1000};
      case 'meta.v1.Duration': {
        const [, hours, minutes, seconds] = /^(\d+)h(\d+)m(\d+)s$/.exec(value as string)!;
        return {f1: (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1e9};
      }
      case 'resource.Quantity':
        return {f1: value};
      case 'intstr.IntOrString':
        return typeof value === 'number' ? {f1: 0, f2: value, f3: ''} : {f1: 1, f2: 0, f3: value};
      case 'meta.v1.FieldsV1':
      case 'runtime.RawExtension':
      case 'apiextensions.v1.JSON':
        return jsonBytes(value);
      case 'apiextensions.v1.JSONSchemaPropsOrBool':
        return typeof value === 'boolean' ? {f1: value} : {f1: true, f2: schema(value)};
      case 'apiextensions.v1.JSONSchemaPropsOrArray':
        return Array.isArray(value) ? {f2: value.map(schema)} : {f1: schema(value)};
      case 'apiextensions.v1.JSONSchemaPropsOrStringArray':
        return Array.isArray(value) ? {f2: value} : {f1: schema(value)};
      default:
        return undefined;
    }
  }
}
