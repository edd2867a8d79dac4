// Turns one message of the type tables into a schema.
import {derivedGoText, goText} from './go-types.mjs';
import {atRelease, lookUp, releases, releasesOf} from './facts.mjs';
import {furtherValues, specialSchemas} from './special-schemas.mjs';

const scalars = {
  string: {type: 'string'},
  bool: {type: 'boolean'},
  int32: {type: 'integer', format: 'int32'},
  int64: {type: 'integer', format: 'int64'},
  uint32: {type: 'integer', format: 'int64'},
  double: {type: 'number', format: 'double'},
  float64: {type: 'number', format: 'double'},
  bytes: {type: 'string', format: 'byte'},
};

/** Gates whose fields strategies drop, as that takes more than a look at the field. */
const ofStrategies = new Set([
  'CSIStorageCapacity',
  'CrossNamespaceVolumeDataSource',
  'DynamicResourceAllocation',
  'GRPCContainerProbe',
  'ImageVolume',
  'RecoverVolumeExpansionFailure',
  'UserNamespacesSupport',
]);

const ownForms = /#\/definitions\/(?:Time|MicroTime|Duration|Quantity|IntOrString|RawExtension|FieldsV1|JSON|JSONSchemaPropsOr\w+)$/;

/** The schema of a message. Members stand in the order of the table: `description`, `type`, `required`, `properties`, extensions. */
export function messageSchema(tables, table, name) {
  const message = table.messages[name];
  const special = specialSchemas[`${table.key}.${name}`];
  if (special) return special;
  if (message.alias?.startsWith('[]')) return {type: 'array', items: scalars[message.alias.slice(2)], 'x-orch-form': 'list'};
  if (message.alias) return {$ref: reference(tables, table, table, message.alias)};
  const properties = {};
  const required = new Map(releases.map((release) => [release, []]));
  addFields(tables, table, table, message.fields, [], properties, required);
  const schema = {type: 'object'};
  if (message.since) schema['x-orch-since'] = message.since;
  if (message.until) schema['x-orch-until'] = message.until;
  const first = required.get(releases[0]);
  if (first.length > 0) schema.required = first;
  schema.properties = properties;
  if (message.structType === 'atomic') schema['x-kubernetes-map-type'] = 'atomic';
  if (message.kind) schema['x-kubernetes-group-version-kind'] = [{group: table.group, version: table.version, kind: name}];
  addChanges(schema, releases, (release) => (required.get(release).length > 0 ? {required: required.get(release)} : {}));
  return schema;
}

/** Adds how a schema differs in later releases: `x-orch-changes`, in which null takes a keyword away. @param at the keywords that may change, in a release */
function addChanges(schema, present, at) {
  const changes = [];
  let before = at(present[0]);
  for (const since of present.slice(1)) {
    const now = at(since);
    const change = {};
    for (const keyword of new Set([...Object.keys(before), ...Object.keys(now)])) {
      if (JSON.stringify(before[keyword]) !== JSON.stringify(now[keyword])) change[keyword] = now[keyword] ?? null;
    }
    if (Object.keys(change).length > 0) changes.push({since, ...change});
    before = now;
  }
  if (changes.length > 0) schema['x-orch-changes'] = changes;
}

/** `home` is the table against which the fields' type names are read, `table` the one whose file they go into. */
function addFields(tables, table, home, members, within, properties, required) {
  for (const field of members) {
    if (field.inline) {
      const inlined = lookUp(tables, home, field.inline, 'messages');
      if (!inlined) throw new Error(`${home.key}: no message ${field.inline} to inline`);
      // Without a number the inlined fields (apiVersion and kind) have no binary form.
      const fields = field.num === undefined ? inlined.value.fields.map(({num: _num, ...rest}) => rest) : inlined.value.fields;
      addFields(tables, table, inlined.table, fields, field.num === undefined ? within : [...within, field.num], properties, required);
    } else if (field.name) {
      properties[field.name] = fieldSchema(tables, table, home, field, within);
      for (const release of releasesOf(field)) if (atRelease(field, release).req) required.get(release).push(field.name);
    }
  }
}

function fieldSchema(tables, table, home, field, within) {
  const present = releasesOf(field);
  const at = (release) => schemaAtRelease(tables, table, home, atRelease(field, release), within, release);
  const {'x-orch-field': number, ...schema} = at(present[0]);
  if (field.since) schema['x-orch-since'] = field.since;
  if (field.until) schema['x-orch-until'] = field.until;
  addChanges(schema, present, at);
  // It stands last, as what matters least to a reader.
  return number === undefined ? schema : {...schema, 'x-orch-field': number};
}

function schemaAtRelease(tables, table, home, field, within, release) {
  const value = valueSchema(tables, table, home, field, release);
  const schema = {};
  if (field.deprecated) schema.deprecated = true;
  if (field.card === 'repeated' || (!field.pb && isGoList(field))) Object.assign(schema, {type: 'array', items: value});
  else if (field.card === 'map') Object.assign(schema, {type: 'object', additionalProperties: value});
  else Object.assign(schema, value);
  if (field.default !== undefined) schema.default = field.default;
  for (const marker of field.markers ?? []) Object.assign(schema, markerKeywords(marker));
  addMergeRules(schema, field);
  const presence = presenceOf(field);
  if (presence) schema['x-orch-presence'] = presence;
  const go = field.go && goText(home, field.go);
  if (go && go !== derivedGoText(schema, table.documentId.split('/').at(-1)) && !namesOwnForm(schema)) schema['x-orch-go'] = go;
  if (field.featureGate && !ofStrategies.has(field.featureGate)) schema['x-orch-feature-gate'] = field.featureGate;
  if (field.num !== undefined) {
    const name = field.pbName && field.pbName !== field.name ? {name: field.pbName} : {};
    const path = within.length > 0 ? {within} : {};
    const isPlain = within.length === 0 && !name.name;
    schema['x-orch-field'] = isPlain ? field.num : {number: field.num, ...name, ...path};
  }
  return schema;
}

/** Whether values of a type say themselves what is wrong with them, as times and quantities do: no message has its name. */
function namesOwnForm({$ref}) {
  return $ref !== undefined && ownForms.test($ref);
}

/** The schema of one value: of the field itself, or of an item or entry of it. */
function valueSchema(tables, table, home, field, release) {
  const type = field.pb ?? goBase(field.go);
  const list = field.enum && lookUp(tables, home, field.enum, 'enums');
  if (list) {
    const values = atRelease(list.value, release);
    const base = scalars[values.base] ?? scalars.string;
    return values.closed && !field.open ? {...base, enum: valuesOf({...list, value: values})} : {...base};
  }
  if (type === 'interface{}') return {'x-kubernetes-preserve-unknown-fields': true};
  if (scalars[type]) return {...scalars[type]};
  if (lookUp(tables, home, type, 'messages')) return {$ref: reference(tables, table, home, type)};
  if (field.enum) return {...scalars.string};
  throw new Error(`${home.key}: field ${field.name} has the unknown type ${type}`);
}

/** The values of a closed list, sorted, each once. */
function valuesOf({table, name, value}) {
  return [...new Set([...Object.values(value.values), ...(furtherValues[`${table.key}.${name}`] ?? [])])].sort();
}

function goBase(go) {
  return go.replace(/^\*/, '').replace(/^\[\]/, '');
}

function isGoList(field) {
  return field.go?.startsWith('[]') && field.go !== '[]byte';
}

function reference(tables, table, home, name) {
  const found = lookUp(tables, home, name, 'messages');
  if (!found) throw new Error(`${home.key}: no message ${name}`);
  return `${found.table.documentId === table.documentId ? '' : found.table.documentId}#/definitions/${found.name}`;
}

function presenceOf(field) {
  const isPointer = field.go?.startsWith('*');
  if (field.always) return isPointer ? 'explicit-null' : 'always';
  return isPointer ? 'explicit' : undefined;
}

function addMergeRules(schema, field) {
  if (field.listType) schema['x-kubernetes-list-type'] = field.listType;
  if (field.listMapKeys) schema['x-kubernetes-list-map-keys'] = field.listMapKeys;
  if (field.mapType ?? field.structType) schema['x-kubernetes-map-type'] = field.mapType ?? field.structType;
  if (field.patchStrategy) schema['x-kubernetes-patch-strategy'] = field.patchStrategy;
  if (field.patchMergeKey) schema['x-kubernetes-patch-merge-key'] = field.patchMergeKey;
}

/** A marker such as `MaxLength=316` as a keyword. Those that the table already says otherwise give nothing. */
function markerKeywords(marker) {
  const [name, ...rest] = marker.split('=');
  const value = rest.join('=').replace(/^`|`$/g, '');
  switch (name) {
    case 'MaxLength':
      return {maxLength: Number(value)};
    case 'MinLength':
      return {minLength: Number(value)};
    case 'Minimum':
      return {minimum: Number(value)};
    case 'Pattern':
      return {pattern: value};
    case 'Enum':
      return {enum: value.split(';')};
    case 'Format':
    case 'Required':
    case 'Type':
      return {};
    default:
      throw new Error(`unknown marker ${marker}`);
  }
}
