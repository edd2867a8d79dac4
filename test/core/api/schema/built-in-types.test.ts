import {cpSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {kubernetes} from '../../../../core/api/naming/kubernetes.js';
import {BuiltInTables} from '../../../helpers/built-in-tables.js';
import {FullObjects} from '../../../helpers/full-objects.js';
import {projectRoot} from '../../../helpers/project-root.js';
import {runScript} from '../../../helpers/run-script.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {builtInCatalog, decoded} from './catalog-fixture.js';
import type {JsonObject} from '../../../../sdk/index.js';
import {documentId} from '../../../../core/api/schema/schema-document.js';

test('objects of all kinds with every field set decode with no unknown field, no fault and no change', (t) => {
  const catalog = builtInCatalog();
  const tables = new BuiltInTables();
  const objects = new FullObjects(tables);
  const kinds: string[] = [];
  for (const found of tables.kinds()) {
    const id = documentId(kubernetes.neutralGroup(found.table.group), found.table.version);
    if (!catalog.has(id)) continue;
    const schema = catalog.schema(`${id}#/definitions/${found.name}`);
    const object = objects.object(found);
    const result = decoded(schema, object);
    schema.applyDefaults(result.object);
    t.deepEqual([result.unknown, result.faults, schema.validate(result.object)], [[], [], []], `${id} ${found.name}`);
    t.deepEqual(result.object, object, `${id} ${found.name}`);
    t.true(JSON.stringify(result.object) === JSON.stringify(object), `members of ${id} ${found.name} change their order`);
    kinds.push(`${id} ${found.name}`);
  }
  for (const kind of [
    'core/v1 ConfigMap',
    'core/v1 Secret',
    'core/v1 Namespace',
    'core/v1 Event',
    'coordination.orch/v1 Lease',
    'events.orch/v1 Event',
    'apiextensions.orch/v1 CustomResourceDefinition',
  ]) {
    t.true(kinds.includes(kind), kind);
  }
});

test('the schema files are what the script makes of the tables', async (t) => {
  const {code, output} = await runScript('schemas/generate.mjs', ['--check']);
  t.is(code, 0, output);
});

test('a schema file that the tables say otherwise is named', async (t) => {
  const folder = tempFolder(t);
  const facts = join(projectRoot(), 'scripts/schemas/facts');
  cpSync(facts, folder, {recursive: true});
  const table = readFileSync(join(facts, 'coordination.k8s.io_v1.json'), 'utf8');
  writeFileSync(join(folder, 'coordination.k8s.io_v1.json'), table.replace(/"num":\d+,"pb":"int32"/, '"num":99,"pb":"int32"'));
  const {code, output} = await runScript('schemas/generate.mjs', ['--check', '--facts', folder]);
  t.is(code, 1);
  t.regex(output, /^plugins\/resources\/coordination\/v1\.schema\.json: not what/m);
});

test('a Secret gets its default type, and base64 that is none is a fault', (t) => {
  const schema = builtInCatalog().schema('core/v1#/definitions/Secret');
  const {object} = decoded(schema, {metadata: {name: 'a'}, type: '', data: {a: 'aGVs\nbG8='}});
  schema.applyDefaults(object);
  t.deepEqual(object, {metadata: {name: 'a'}, type: 'Opaque', data: {a: 'aGVsbG8='}} as never);
  t.deepEqual(decoded(schema, {data: {a: 'no base64'}}).faults, ['data.a: Invalid value: "no base64": illegal base64 data']);
});

test('an Event of the older form is written as Kubernetes writes it', (t) => {
  const schema = builtInCatalog().schema('core/v1#/definitions/Event');
  const {object} = decoded(schema, {metadata: {name: 'e'}, involvedObject: {kind: 'Pod', name: 'p'}, reason: 'R', firstTimestamp: null});
  schema.applyDefaults(object);
  t.deepEqual(object, {
    metadata: {name: 'e'},
    involvedObject: {kind: 'Pod', name: 'p'},
    reason: 'R',
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    eventTime: null,
    reportingComponent: '',
    reportingInstance: '',
  } as never);
});

test('the number of a field in protobuf and the merge rules of lists can be read from the nodes', (t) => {
  const {node} = builtInCatalog().schema('core/v1#/definitions/Pod');
  const spec = node.properties.get('spec');
  const containers = spec?.properties.get('containers');
  t.is(containers?.protoField, 2);
  t.deepEqual(
    [containers?.listType, containers?.listMapKeys, containers?.patchStrategies, containers?.patchMergeKey],
    ['map', ['name'], ['merge'], 'name'],
  );
  t.is(spec?.properties.get('nodeSelector')?.mapType, 'atomic');
  t.is(node.properties.get('metadata')?.properties.get('finalizers')?.listType, 'set');
  t.deepEqual(spec?.properties.get('volumes')?.items?.properties.get('emptyDir')?.protoField, {number: 2, within: [2]});
});

test('names in defaults follow the naming profile', (t) => {
  const catalog = builtInCatalog({group: (neutral) => neutral.replace(/orch$/, 'k8s.io'), key: (neutral) => neutral});
  const binding: JsonObject = {roleRef: {kind: 'Role', name: 'r'}};
  catalog.schema('rbac.authorization.orch/v1#/definitions/RoleBinding').applyDefaults(binding);
  t.is((binding['roleRef'] as JsonObject)['apiGroup'], 'rbac.authorization.k8s.io');
});
