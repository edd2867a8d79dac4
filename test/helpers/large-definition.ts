import type {ApiObject, JsonObject} from '../../sdk/index.js';
import type {BuiltInTables, FoundMessage} from './built-in-tables.js';

const scalars: Readonly<Record<string, JsonObject>> = {
  bool: {type: 'boolean'},
  int32: {type: 'integer', format: 'int32'},
  int64: {type: 'integer', format: 'int64'},
  bytes: {type: 'string', format: 'byte'},
};
const special: Readonly<Record<string, JsonObject>> = {
  Quantity: {'x-kubernetes-int-or-string': true, anyOf: [{type: 'integer'}, {type: 'string'}]},
  IntOrString: {'x-kubernetes-int-or-string': true, anyOf: [{type: 'integer'}, {type: 'string'}]},
  Time: {type: 'string', format: 'date-time'},
  ObjectMeta: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true},
};

/** A definition whose objects hold a pod template with all its fields, in two versions, as generators of operators write it: some hundred kilobytes. */
export function largeDefinition(tables: BuiltInTables): ApiObject {
  const core = tables.all.find(({key}) => key === 'core.v1')!;
  const template = structuralSchema(tables, tables.find(core, 'PodTemplateSpec')!);
  const openAPIV3Schema = {type: 'object', properties: {spec: {type: 'object', properties: {template, canary: template}}}};
  const version = (name: string, storage: boolean) => ({name, served: true, storage, schema: {openAPIV3Schema}});
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'workers.jobs.example.com'},
    spec: {
      group: 'jobs.example.com',
      names: {kind: 'Worker', plural: 'workers', singular: 'worker'},
      scope: 'Namespaced',
      versions: [version('v1', true), version('v1beta1', false)],
    },
  } as unknown as ApiObject;
}

function structuralSchema(tables: BuiltInTables, {table, name, message}: FoundMessage): JsonObject {
  if (special[name]) return special[name];
  const properties: JsonObject = {};
  for (const field of message.fields) {
    const found = tables.find(table, field.inline ?? field.pb!);
    if (field.inline !== undefined) Object.assign(properties, structuralSchema(tables, found!)['properties']);
    else if (field.name) {
      const value = found ? structuralSchema(tables, found) : (scalars[field.pb!] ?? {type: 'string'});
      const described = {description: `The ${field.name} of a ${name}, as the field of the same name of a pod has it.`};
      if (field.card === 'map') properties[field.name] = {...described, type: 'object', additionalProperties: value};
      else properties[field.name] = field.card === 'repeated' ? {...described, type: 'array', items: value} : {...described, ...value};
    }
  }
  return {type: 'object', properties};
}
