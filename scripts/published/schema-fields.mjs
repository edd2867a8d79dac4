// The fields of a schema as flat text: path → type. `spec.ports[]` is an item of a list, `data{}` a value of a map.

/** What a definition consists of: path → type (`integer int32`, `string = Always | Never`, `-> core/v1#PodSpec`); a path `.` is the value itself. */
export function fieldsOf(schema, documentId) {
  const fields = {};
  describe(schema, '', documentId, fields);
  return sorted(fields);
}

/** The same members, by name. */
export function sorted(object) {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function describe(schema, path, documentId, fields) {
  if (schema.$ref !== undefined) return put(fields, path, `-> ${reference(schema.$ref, documentId)}`);
  const members = Object.entries(schema.properties ?? {});
  for (const [name, member] of members) describe(member, path === '' ? name : `${path}.${name}`, documentId, fields);
  const {items, additionalProperties: values} = schema;
  if (items !== undefined) describe(items, `${path}[]`, documentId, fields);
  if (typeof values === 'object') describe(values, `${path}{}`, documentId, fields);
  if (members.length === 0 && items === undefined && typeof values !== 'object') put(fields, path, `${typeOf(schema)}${valuesOf(schema)}`);
}

function put(fields, path, type) {
  fields[path === '' ? '.' : path] = type;
}

/** `#/definitions/PodSpec` and `core/v1#/definitions/PodSpec` become `core/v1#PodSpec`. */
export function reference(text, documentId) {
  const [document, pointer] = text.split('#');
  return `${document === '' ? documentId : document}#${pointer.slice(pointer.lastIndexOf('/') + 1)}`;
}

function typeOf(schema) {
  if (schema['x-kubernetes-int-or-string'] === true) return 'integer or string';
  if (schema['x-orch-alternatives'] !== undefined) return 'alternatives';
  if (schema.type === undefined) return 'any';
  return [schema.type, schema.format, schema['x-orch-form']].filter(Boolean).join(' ');
}

function valuesOf(schema) {
  return schema.enum === undefined ? '' : ` = ${schema.enum.map(String).join(' | ')}`;
}

/** A type as `fieldsOf` writes it, taken apart: its text without values, and the values where they are enumerated. */
export function takeApart(type) {
  const at = type.indexOf(' = ');
  return at < 0 ? {base: type} : {base: type.slice(0, at), values: type.slice(at + 3).split(' | ')};
}
