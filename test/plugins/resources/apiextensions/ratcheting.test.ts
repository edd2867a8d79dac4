import test from 'ava';
import {namingProfileNamed} from '../../../../core/api/naming/create-naming-profile.js';
import {SchemaCatalog} from '../../../../core/api/object-schema/schema-catalog.js';
import {SchemaChecks} from '../../../../core/catalog/schema-checks.js';
import type {CustomResourceDefinition} from '../../../../plugins/resources/apiextensions/custom-resource-definition.js';
import type {SchemaProps} from '../../../../plugins/resources/apiextensions/schema-props.js';
import {changedDefinitionFaults, newDefinitionFaults} from '../../../../plugins/resources/apiextensions/validation/definition-faults.js';
import {atOnce} from '../../../../sdk/index.js';

const catalog = new SchemaCatalog();
const parts = {naming: namingProfileNamed('orch')!, schemas: new SchemaChecks(catalog)};
const text = {type: 'string'};

/** A definition whose objects have a `spec` of this schema; none at all when it is undefined. */
function definitionOf(spec: SchemaProps | undefined, more: Partial<CustomResourceDefinition['spec']> = {}): CustomResourceDefinition {
  const schema = spec && {openAPIV3Schema: {type: 'object', properties: {spec}}};
  return {
    apiVersion: 'apiextensions.orch/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'widgets.example.com'},
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: {plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList'},
      versions: [{name: 'v1', served: true, storage: true, ...(schema ? {schema} : {})}],
      ...more,
    },
    status: {storedVersions: ['v1']},
  };
}

const object = (properties: Record<string, SchemaProps>): SchemaProps => ({type: 'object', properties});

/** What was stored before a rule came, and faults that a new definition of the kind has. */
const before: readonly (readonly [title: string, schema: SchemaProps, faults: readonly string[]])[] = [
  [
    'fields in defaults that their schema does not know',
    object({a: {type: 'object', default: {x: 1}}}),
    ['default: Invalid value: map[string]interface {}{"x":1}: must not have unknown fields'],
  ],
  [
    'sets of items that can be merged',
    object({a: {type: 'array', 'x-kubernetes-list-type': 'set', items: object({k: text})}}),
    ['items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set'],
  ],
  [
    'keys of lists that are optional',
    object({
      a: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: {...object({k: {...text, nullable: true}}), nullable: true},
      },
    }),
    [
      'items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is map',
      'items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
      'items.properties[k].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable',
    ],
  ],
  [
    'types that there are not',
    object({a: {type: 'text'}}),
    ['type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"'],
  ],
];

for (const [title, schema, expected] of before) {
  test(`${title} may stay where they were before, and only there`, (t) => {
    const definition = definitionOf(schema);
    const faults = expected.map((fault) => `spec.validation.openAPIV3Schema.properties[spec].properties[a].${fault}`);
    const texts = (found: readonly {field: string; body: string}[]) => found.map(({field, body}) => `${field}: ${body}`);
    t.deepEqual(texts(atOnce(newDefinitionFaults(definition, parts))), faults);
    t.deepEqual(texts(atOnce(changedDefinitionFaults(definition, definitionOf(object({a: text})), parts))), faults);
    t.deepEqual(texts(atOnce(changedDefinitionFaults(definition, definition, parts))), []);
  });
}

test('a schema that is not structural may stay while nothing depends on its structure', (t) => {
  const loose = definitionOf({properties: {a: text}}, {preserveUnknownFields: true});
  const fault = 'spec.validation.openAPIV3Schema.properties[spec].type';
  const fields = (changed: CustomResourceDefinition, old: CustomResourceDefinition) =>
    atOnce(changedDefinitionFaults(changed, old, parts)).map(({field}) => field);
  t.deepEqual(fields(loose, loose), []);
  t.deepEqual(fields(loose, definitionOf(object({a: text}), {preserveUnknownFields: true})), [fault]);
  t.deepEqual(fields(definitionOf({properties: {a: text}}), loose), [fault]);
  t.deepEqual(fields(definitionOf({properties: {a: {'x-kubernetes-int-or-string': true}}}, {preserveUnknownFields: true}), loose), [fault]);
});

test('versions without a schema may stay while they are not served or fields are not pruned', (t) => {
  const missing = definitionOf(undefined, {preserveUnknownFields: true});
  const texts = (changed: CustomResourceDefinition, old: CustomResourceDefinition) =>
    atOnce(changedDefinitionFaults(changed, old, parts)).map(({field, body}) => `${field}: ${body}`);
  t.deepEqual(texts(missing, missing), []);
  t.deepEqual(texts(missing, definitionOf(object({}), {preserveUnknownFields: true})), [
    'spec.versions[0].schema.openAPIV3Schema: Required value: schemas are required',
  ]);
  t.deepEqual(texts(definitionOf(undefined), missing), [
    'spec.versions[0].schema.openAPIV3Schema: Required value: because otherwise all fields are pruned',
  ]);
  t.deepEqual(texts(definitionOf(undefined, {versions: [{name: 'v1', served: false, storage: true}]}), missing), []);
});
