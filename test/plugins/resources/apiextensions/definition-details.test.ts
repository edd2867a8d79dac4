import test from 'ava';
import {namingProfileNamed} from '../../../../core/api/naming/create-naming-profile.js';
import {SchemaCatalog} from '../../../../core/api/object-schema/schema-catalog.js';
import {SchemaChecks} from '../../../../core/catalog/schema-checks.js';
import type {CustomResourceDefinition} from '../../../../plugins/resources/apiextensions/custom-resource-definition.js';
import type {SchemaProps} from '../../../../plugins/resources/apiextensions/schema-props.js';
import {newDefinitionFaults} from '../../../../plugins/resources/apiextensions/validation/definition-faults.js';
import {atOnce, fieldErrorText} from '../../../../sdk/index.js';
import {testOnEachStore} from '../../../helpers/each-store.js';
import {definition, definitionsPath, establish, freshGroup, version, type StoredDefinition} from './definition-fixture.js';

const storeTest = testOnEachStore({release: '1.36'});
const root = 'spec.validation.openAPIV3Schema';

/** The faults of a definition whose schema is this one. */
function faultsOf(schema: SchemaProps, release = '1.36'): string[] {
  const parts = {naming: namingProfileNamed('orch')!, schemas: new SchemaChecks(new SchemaCatalog(undefined, release))};
  const made: CustomResourceDefinition = {
    apiVersion: 'apiextensions.orch/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'widgets.example.com'},
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: {plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList'},
      versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: schema}}],
    },
    status: {storedVersions: ['v1']},
  };
  return atOnce(newDefinitionFaults(made, parts)).map(fieldErrorText);
}

const spec = (part: SchemaProps): SchemaProps => ({type: 'object', properties: {spec: part}});
const text: SchemaProps = {type: 'string'};

test('faults of a default have the way from it in their texts', (t) => {
  const at = `${root}.properties[spec].default`;
  t.deepEqual(faultsOf(spec({type: 'string', default: 1})), [
    `${at}: Invalid value: "integer":  in body must be of type string: "integer"`,
  ]);
  t.deepEqual(faultsOf(spec({type: 'array', items: text, default: ['a', 1]})), [
    `${at}.[1]: Invalid value: "integer": [1] in body must be of type string: "integer"`,
  ]);
  t.deepEqual(faultsOf(spec({type: 'object', properties: {a: text}, default: {a: 1, b: 2}})), [
    `${at}: Invalid value: {"a":1,"b":2}: must not have unknown fields`,
    `${at}.a: Invalid value: "integer": a in body must be of type string: "integer"`,
  ]);
});

test('the default of an object is judged by its schema once its type and metadata are right', (t) => {
  t.deepEqual(faultsOf({type: 'object', properties: {a: text}, default: {a: 1}}), [
    `${root}.default.apiVersion: Required value`,
    `${root}.default.kind: Required value`,
  ]);
});

test('a default that should be an integer or a string is held against the rules of its schema alone', (t) => {
  t.deepEqual(faultsOf(spec({'x-kubernetes-int-or-string': true, default: true})), []);
  t.deepEqual(faultsOf(spec({'x-kubernetes-int-or-string': true, default: 'a', pattern: '^b'})), [
    `${root}.properties[spec].default: Invalid value: "a":  in body should match '^b'`,
  ]);
});

test('a schema that says it does not preserve what is unknown is judged no further', (t) => {
  t.deepEqual(faultsOf(spec({'x-kubernetes-preserve-unknown-fields': false})), [
    `${root}.properties[spec].x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined`,
  ]);
});

test('what parts say of a property needs that property, also beside the values of a map', (t) => {
  const schema = spec({type: 'object', additionalProperties: text});
  const part: SchemaProps = {...schema, anyOf: [{properties: {spec: {properties: {b: {maxLength: 3}}}}}]};
  t.deepEqual(faultsOf(part), [
    `${root}.properties[spec].properties[b]: Required value: because it is defined in ${root}.anyOf[0].properties[spec].properties[b]`,
  ]);
});

test('a storage version that is there twice is missing once', (t) => {
  const schemas = new SchemaChecks(new SchemaCatalog(undefined, '1.36'));
  const v1 = {name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object'}}};
  const twice = {
    apiVersion: 'apiextensions.orch/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'widgets.example.com'},
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: {plural: 'widgets', singular: 'w', kind: 'W', listKind: 'WL'},
      versions: [v1, v1],
    },
    status: {storedVersions: ['v1']},
  } as CustomResourceDefinition;
  const faults = atOnce(newDefinitionFaults(twice, {naming: namingProfileNamed('orch')!, schemas})).map(fieldErrorText);
  t.true(faults.includes('status.storedVersions: Invalid value: ["v1"]: must have the storage version v1'), faults.join('\n'));
});

storeTest('a status that names no stored version gets the storage version, and may name any', async (t, {client}) => {
  const group = freshGroup();
  const at = `${definitionsPath}/widgets.${group}/status`;
  await establish(client, definition(group));
  const written = async (storedVersions: string[] | null) =>
    (await client.patch(`${at}?dryRun=All`, {status: {storedVersions}})).json<StoredDefinition>().status.storedVersions;
  t.deepEqual(await written([]), ['v1']);
  t.deepEqual(await written(null), ['v1']);
  t.deepEqual(await written(['v0']), ['v0']);
});

storeTest('nobody hears of unknown fields in what a schema says of items and the values of maps', async (t, {client}) => {
  const warnings = async (part: object) => {
    const made = definition(freshGroup(), [version(part as never)]);
    const {status, headers} = await client.post(`${definitionsPath}?dryRun=All`, made);
    t.is(status, 201);
    return headers['warning'];
  };
  t.regex(String(await warnings({type: 'object', odd: 1})), /unknown field .*spec\.odd/);
  t.is(await warnings({type: 'array', items: {type: 'string', odd: 1}}), undefined);
  t.is(await warnings({type: 'object', additionalProperties: {type: 'string', odd: 1}}), undefined);
});
