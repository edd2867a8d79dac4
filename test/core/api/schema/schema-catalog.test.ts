import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {SchemaCatalog} from '../../../../core/api/object-schema/schema-catalog.js';
import type {SchemaDocument} from '../../../../core/api/schema/schema-document.js';

const document: SchemaDocument = {
  group: 'demo.example',
  version: 'v1',
  definitions: {
    Thing: {
      type: 'object',
      properties: {spec: {$ref: '#/definitions/Spec', description: 'the wanted state'}, other: {$ref: 'second#/definitions/Other'}},
    },
    Spec: {
      type: 'object',
      description: 'a state',
      properties: {nested: {$ref: '#/definitions/Spec'}, name: {type: 'string', default: 'x'}},
    },
    Loop: {$ref: '#/definitions/Loop'},
  },
};

test('a document is read when something of it is asked for, and only once', (t) => {
  const catalog = new SchemaCatalog();
  let reads = 0;
  catalog.add('first', () => {
    reads++;
    return document;
  });
  t.is(reads, 0);
  const schema = catalog.schema('first#/definitions/Thing');
  t.is(catalog.schema('first#/definitions/Thing'), schema);
  t.is(reads, 1);
  t.throws(() => schema.node.properties, {message: /"second#\/definitions\/Other" names an unknown document "second"/});
});

test('schemas may contain themselves, and what stands beside a reference wins', (t) => {
  const catalog = new SchemaCatalog();
  catalog.add('first', () => document);
  catalog.add('second', () => ({group: '', version: 'v1', definitions: {Other: {type: 'string'}}}));
  const {node} = catalog.schema('first#/definitions/Thing');
  const spec = node.properties.get('spec');
  t.is(spec?.schema.description, 'the wanted state');
  t.is(spec?.reference, 'first#/definitions/Spec');
  t.is(spec?.properties.get('nested')?.properties, spec?.properties, 'the compiled members are shared');
  t.is(node.properties.get('other')?.type, 'string');
  const object = {spec: {nested: {nested: {}}}};
  catalog.schema('first#/definitions/Thing').applyDefaults(object);
  t.deepEqual(object as unknown, {spec: {name: 'x', nested: {name: 'x', nested: {name: 'x'}}}});
});

test('a reference that leads nowhere or back to itself is an error that names it', (t) => {
  const catalog = new SchemaCatalog();
  catalog.add('first', () => document);
  t.throws(() => catalog.schema('first#/definitions/Nothing'), {message: /first has no definition "Nothing"/});
  t.throws(() => catalog.schema('first#/definitions/toString'), {message: /has no definition/});
  t.throws(() => catalog.schema('nowhere'), {message: /not of the form/});
  t.throws(() => catalog.node('first#/definitions/Loop'), {message: /leads back to itself/});
});

test('replacing a document forgets what was made of the old one', (t) => {
  const catalog = new SchemaCatalog();
  catalog.add('first', () => document);
  const before = catalog.schema('first#/definitions/Thing');
  catalog.add('first', () => document);
  t.not(catalog.schema('first#/definitions/Thing'), before);
});

test('a schema that nobody uses costs less than 100 KB', (t) => {
  const file = fileURLToPath(new URL('../../../../plugins/resources/apps/v1.schema.json', import.meta.url));
  const text = readFileSync(file, 'utf8');
  const catalog = new SchemaCatalog();
  const kept: unknown[] = [];
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < 500; index++) {
    const id = `crd-${index}`;
    catalog.add(id, () => JSON.parse(text) as SchemaDocument);
    kept.push(catalog.fromInline({type: 'object', properties: {spec: {$ref: `${id}#/definitions/DeploymentSpec`}}}));
  }
  const perSchema = (process.memoryUsage().heapUsed - before) / 500;
  t.true(perSchema < 100_000, `${perSchema} bytes`);
  t.is(kept.length, 500);
});
