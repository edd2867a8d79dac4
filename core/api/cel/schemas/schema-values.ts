import type {JsonObject, JsonValue} from '../../../../sdk/index.js';
import {isJsonObject} from '../../json/is-json-object.js';
import type {SchemaNode} from '../../schema/schema-node.js';
import {meter} from '../cost-meter.js';
import {fieldName, isKeyword} from '../field-names.js';
import {durationOf} from '../libraries/conversions.js';
import {quantityOf} from '../libraries/quantities.js';
import {parseSemver} from '../libraries/semver.js';
import {Entries} from '../values/entries.js';
import {markOfSchema} from '../values/equality.js';
import {Fault} from '../values/fault.js';
import {ObjectValue, type Field} from '../values/object-value.js';
import {KeyedList, SetList} from '../values/schema-lists.js';
import {nanosPerSecond, parseTimestamp, TimestampValue} from '../values/times.js';
import {isStructure} from './schema-types.js';

/** To make an item for expressions: lists are made while an expression that reads them is evaluated. */
const stepsPerItem = 2;
/** The members of metadata that expressions see. */
const metadataMembers: readonly string[] = ['name', 'generateName'];

/** A value as expressions see it. It must be one that the schema allows. Objects are converted member by member, when one is first read. */
export function valueOfSchema(node: SchemaNode, value: JsonValue): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return node.items ? listOf(node, node.items, value) : untypedValue(value);
  if (isJsonObject(value)) {
    if (node.schema['x-orch-expression-type'] === 'kubernetes.DeviceAttribute') return attributeOf(value);
    if (node.type !== 'object') return untypedValue(value);
    if (isStructure(node)) {
      const {fields, names} = fieldsOf(node);
      return new ObjectValue(value, fields, names);
    }
    const values = node.additional!;
    return new Entries(value, (entry) => valueOfSchema(values, entry), false, values.schema['x-orch-expression-default'] as JsonValue);
  }
  return scalarOf(node, value);
}

function listOf(node: SchemaNode, items: SchemaNode, value: readonly JsonValue[]): unknown[] {
  meter.spend(value.length * stepsPerItem);
  const {listType} = node;
  if (listType === 'set') return SetList.from(value, (item) => valueOfSchema(items, item)) as SetList;
  if (listType === 'map') {
    const list = KeyedList.from(value, (item) => valueOfSchema(items, item)) as KeyedList;
    list.keyNames = node.listMapKeys;
    return list;
  }
  const list = value.map((item) => valueOfSchema(items, item));
  markOfSchema(list);
  return list;
}

interface Fields {
  readonly fields: ReadonlyMap<string, Field>;
  readonly names: () => ReadonlyMap<string, string>;
}

const known = new WeakMap<SchemaNode, Fields>();

function fieldsOf(node: SchemaNode): Fields {
  let found = known.get(node);
  if (!found) {
    const fields = new Map<string, Field>();
    const byMember = new Map<string, string>();
    for (const [member, property] of node.properties) {
      const name = fieldName(member);
      if (name === undefined) continue;
      const valueOf =
        node.isResource && member === 'metadata'
          ? (value: JsonValue) => (isJsonObject(value) ? new ObjectValue(value, metadataFields, () => metadataNames) : undefined)
          : (value: JsonValue) => valueOfSchema(property, value);
      fields.set(name, {member, valueOf});
      if (isKeyword(member)) fields.set(member, {member, valueOf});
      byMember.set(member, name);
    }
    known.set(node, (found = {fields, names: () => byMember}));
  }
  return found;
}

const metadataFields: ReadonlyMap<string, Field> = new Map(metadataMembers.map((member) => [member, {member, valueOf: (value) => value}]));
const metadataNames: ReadonlyMap<string, string> = new Map(metadataMembers.map((member) => [member, member]));

/** An attribute of a device, which says of which type it is. */
function attributeOf({version, versions, string, strings, int, ints, bool, bools}: JsonObject): unknown {
  if (typeof version === 'string') return parseSemver(version, false);
  if (Array.isArray(versions)) return versions.map((each) => parseSemver(String(each), false));
  return untypedValue(string ?? strings ?? int ?? ints ?? bool ?? bools ?? null);
}

/** A string, number or boolean. */
function scalarOf(node: SchemaNode, value: JsonValue): unknown {
  if (typeof value === 'string') {
    if (node.schema['x-orch-expression-type'] === 'kubernetes.Quantity') return quantityOf(value);
    return node.type === 'string' ? textOf(node.format, value) : value;
  }
  if (typeof value !== 'number' && typeof value !== 'bigint') return value;
  if (node.type === 'number') return Number(value);
  return typeof value === 'bigint' || Number.isInteger(value) ? BigInt(value) : value;
}

function textOf(format: string | undefined, text: string): unknown {
  switch (format) {
    case 'byte':
      return Buffer.from(text, 'base64');
    case 'date':
    case 'date-time': {
      const time = parseTimestamp(text);
      if (time) return time;
      const millis = Date.parse(text);
      return Number.isNaN(millis)
        ? new Fault(`Invalid ${format} formatted string ${text}`)
        : new TimestampValue(BigInt(millis) * (nanosPerSecond / 1000n));
    }
    case 'duration': {
      const duration = durationOf(text);
      return duration instanceof Fault ? new Fault(`Invalid duration ${text}`) : duration;
    }
    default:
      return text;
  }
}

/** A value without a schema, as expressions see it. */
export function untypedValue(value: JsonValue): unknown {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  if (Array.isArray(value)) {
    meter.spend(value.length * stepsPerItem);
    return value.map(untypedValue);
  }
  return isJsonObject(value) ? new Entries(value, untypedValue, true) : value;
}
