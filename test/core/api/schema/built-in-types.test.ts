import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {projectRoot} from '../../../helpers/project-root.js';
import {runScript} from '../../../helpers/run-script.js';
import {builtInCatalog, decoded} from './catalog-fixture.js';
import type {JsonObject} from '../../../../sdk/index.js';
import type {ObjectSchema} from '../../../../core/api/schema/object-schema.js';
import type {SchemaCatalog} from '../../../../core/api/schema/schema-catalog.js';
import {documentId} from '../../../../core/api/schema/schema-document.js';

const shared = join(projectRoot(), '../shared');
const golden = join(shared, 'golden');
const whereGolden = existsSync(golden) ? test : test.skip;
const whereFacts = existsSync(join(shared, 'facts')) ? test : test.skip;

whereGolden('golden objects of all kinds decode with no unknown field, no fault and no change', (t) => {
  const catalog = builtInCatalog();
  const kinds: string[] = [];
  for (const file of readdirSync(golden)) {
    const match = /^(.*)\.(v\d\w*)\.(\w+)\.json$/.exec(file);
    const [, group = '', version = '', kind = ''] = match ?? [];
    const id = documentId(group === 'core' ? '' : group.replace(/k8s\.io$/, 'orch'), version);
    if (!match || !catalog.has(id)) continue;
    const schema = schemaOf(catalog, id, kind);
    const text = JSON.stringify(JSON.parse(readFileSync(join(golden, file), 'utf8')));
    const result = decoded(schema, JSON.parse(text));
    schema.applyDefaults(result.object);
    t.deepEqual([result.unknown, result.faults, schema.validate(result.object)], [[], [], []], file);
    t.is(JSON.stringify(result.object), text, file);
    kinds.push(`${id} ${kind}`);
  }
  for (const kind of [
    'core/v1 ConfigMap',
    'core/v1 Secret',
    'core/v1 Namespace',
    'core/v1 Event',
    'coordination.orch/v1 Lease',
    'events.orch/v1 Event',
  ]) {
    t.true(kinds.includes(kind), kind);
  }
});

/** Options and answers that the core group shares with all others stand in the common metadata. */
function schemaOf(catalog: SchemaCatalog, id: string, kind: string): ObjectSchema {
  const common = `meta.orch/v1#/definitions/${kind}`;
  try {
    return catalog.schema(`${id}#/definitions/${kind}`);
  } catch {
    return catalog.schema(common);
  }
}

whereFacts('the schema files are what the script makes of the facts', async (t) => {
  const {code, output} = await runScript('schemas/generate.mjs', ['--check']);
  t.is(code, 0, output);
});

test('without a facts folder the script says so and the check passes', async (t) => {
  const {code, output} = await runScript('schemas/generate.mjs', ['--check', '--facts', join(projectRoot(), 'no-such-folder')]);
  t.is(code, 0);
  t.regex(output, /no facts folder/);
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
