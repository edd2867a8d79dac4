import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {tempFolder} from '../helpers/temp-folder.js';
import {answer, assertFailure} from './answers.js';
import {apply, ownersOf, type OwnedObject} from './apply-fixtures.js';

const boxes = '/apis/change.example.com/v1/namespaces/default/boxes';
const box = (spec: object) => ({apiVersion: 'change.example.com/v1', kind: 'Box', metadata: {name: 'one'}, spec});

const structure = {type: 'object', properties: {a: {type: 'string'}, b: {type: 'string'}}};
const map = {type: 'object', additionalProperties: {type: 'string'}};
const list = {type: 'array', items: {type: 'object', required: ['name'], properties: {name: {type: 'string'}, size: {type: 'integer'}}}};
const set = {type: 'array', items: {type: 'string'}};
const granular = {
  structure,
  map,
  list: {...list, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name']},
  set: {...set, 'x-kubernetes-list-type': 'set'},
};
const atomic = {
  structure: {...structure, 'x-kubernetes-map-type': 'atomic'},
  map: {...map, 'x-kubernetes-map-type': 'atomic'},
  list: {...list, 'x-kubernetes-list-type': 'atomic'},
  set: {...set, 'x-kubernetes-list-type': 'atomic'},
};
const first = {structure: {a: '1'}, map: {a: '1'}, list: [{name: 'a', size: 1}], set: ['a']};
const other = {structure: {a: '2'}, map: {a: '2'}, list: [{name: 'a', size: 2}], set: ['b']};

/** A server whose type has these fields, on data that stays. */
async function serverWith(t: ExecutionContext, dataDir: string, properties: object): Promise<TestServer> {
  const plugin = join(tempFolder(t), 'boxes');
  mkdirSync(plugin);
  const schema = {definitions: {Box: {type: 'object', properties: {spec: {type: 'object', properties}}}}};
  const manifest = {
    name: 'boxes',
    version: '0.1.0',
    kernel: '^0.1.0',
    contributes: {
      resources: [
        {
          group: 'change.example.com',
          names: {plural: 'boxes', kind: 'Box'},
          scope: 'Namespaced',
          versions: [{name: 'v1', storage: true, schema: 'boxes.json#/definitions/Box'}],
        },
      ],
    },
  };
  writeFileSync(join(plugin, 'boxes.json'), JSON.stringify(schema));
  writeFileSync(join(plugin, 'plugin.json'), JSON.stringify(manifest));
  return startTestServer({store: 'embedded', dataDir, plugins: [plugin]});
}

test('after a type has become atomic, the owner of a part owns the whole, and a change of it conflicts [A-SSA-27]', async (t) => {
  const dataDir = tempFolder(t);
  const before = await serverWith(t, dataDir, granular);
  answer(t, await apply(before.client, `${boxes}/one`, 'one', box(first)), 201);
  await before.stop();
  const after = await serverWith(t, dataDir, atomic);
  t.teardown(() => after.stop());
  const status = assertFailure(t, await apply(after.client, `${boxes}/one`, 'two', box(other)), 409, 'Conflict');
  t.deepEqual(
    status.details?.causes?.map(({field}) => field),
    ['.spec.list', '.spec.map', '.spec.set', '.spec.structure'],
  );
  const forced = answer<OwnedObject>(t, await apply(after.client, `${boxes}/one`, 'two', box(other), '&force=true'), 200);
  t.deepEqual(forced.spec, other);
  t.deepEqual(ownersOf(forced), {two: ['.spec.list', '.spec.map', '.spec.set', '.spec.structure']});
});

test('after a type has become granular, nobody owns what is inside, and a change of it does not conflict [A-SSA-28]', async (t) => {
  const dataDir = tempFolder(t);
  const before = await serverWith(t, dataDir, atomic);
  answer(t, await apply(before.client, `${boxes}/one`, 'one', box(first)), 201);
  assertFailure(t, await apply(before.client, `${boxes}/one`, 'two', box(other)), 409, 'Conflict');
  await before.stop();
  const after = await serverWith(t, dataDir, granular);
  t.teardown(() => after.stop());
  const changed = answer<OwnedObject>(t, await apply(after.client, `${boxes}/one`, 'two', box(other)), 200);
  t.deepEqual(changed.spec, {structure: {a: '2'}, map: {a: '2'}, list: [{name: 'a', size: 2}], set: ['a', 'b']});
});
