import {setImmediate as nextTurn} from 'node:timers/promises';
import test from 'ava';
import {conflictError} from '../../../../core/api/apply/managers/conflicts.js';
import {applyConfiguration} from '../../../../core/api/apply/managers/apply-configuration.js';
import {readManagedFields, sortManagedFields} from '../../../../core/api/apply/managers/managed-fields.js';
import {trackUpdate, type Writer} from '../../../../core/api/apply/managers/track-update.js';
import type {TypeVersion} from '../../../../core/api/apply/managers/versions.js';
import {MergeSchema} from '../../../../core/api/apply/typed/merge-schema.js';
import {cloneJson} from '../../../../core/api/json/clone-json.js';
import {SchemaCatalog} from '../../../../core/api/object-schema/schema-catalog.js';
import type {FieldsV1, JsonObject, ManagedFieldsEntry} from '../../../../sdk/index.js';
import {checkWork, listBy, membersBy, type Work} from './measure-work.js';

const schema = new SchemaCatalog().fromInline({
  type: 'object',
  properties: {data: {type: 'object', additionalProperties: {type: 'string'}}},
});
const version: TypeVersion = {apiVersion: 'v1', schema: MergeSchema.of(schema.node), convert: (object) => object};
const find = (apiVersion: string) => (apiVersion === 'v1' ? version : undefined);
const writer: Writer = {manager: 'writer', subresource: '', time: '2026-01-01T00:00:00Z', scope: {}};
/** All that is done counts as one turn. */
const task = {isDue: false, yield: async () => undefined};
/** What an object may have, owners included. */
const largest = 1.5 * 1024 * 1024;

const object = (bytes: number, value: string): JsonObject => ({
  apiVersion: 'v1',
  data: membersBy(bytes, 12, (index) => [`k${index}`, value]) as JsonObject,
});
const owner = (operation: 'Apply' | 'Update', index: number, fields: JsonObject): ManagedFieldsEntry => ({
  manager: `m${index}`,
  operation,
  apiVersion: 'v1',
  time: `2025-01-01T00:00:${String(index % 60).padStart(2, '0')}Z`,
  fieldsType: 'FieldsV1',
  fieldsV1: {'f:data': fields} as FieldsV1,
});
/** As many owners as fit beside the object, each of a few fields. */
const owners = (bytes: number, operation: 'Apply' | 'Update') =>
  listBy(bytes, 200, (index) =>
    owner(operation, index, {[`f:k${3 * index}`]: {}, [`f:k${3 * index + 1}`]: {}, [`f:other${index}`]: {}}),
  ) as ManagedFieldsEntry[];

function update(name: string, entries: (bytes: number) => ManagedFieldsEntry[], after: (bytes: number) => JsonObject): Work {
  return {
    name,
    largest,
    prepare: (bytes) => {
      const [before, wanted, known] = [object(bytes / 2, 'a'), after(bytes / 2), entries(bytes / 2)];
      return async () => `${(await trackUpdate(before, wanted, known, version, find, writer, task)).length} owners`;
    },
  };
}

function apply(name: string, entries: (bytes: number) => ManagedFieldsEntry[], config: (bytes: number) => JsonObject): Work {
  return {
    name,
    largest,
    prepare: (bytes) => {
      const [live, wanted, known] = [object(bytes / 2, 'a'), config(bytes / 2), entries(bytes / 2)];
      const application = {
        live,
        config: wanted,
        entries: known,
        version,
        find,
        applier: writer,
        normalize: async (object: JsonObject) => cloneJson(object),
        writable: (object: JsonObject) => cloneJson(object),
        task: {isDue: true, yield: () => nextTurn()},
      };
      return async () => {
        const {entries: left, conflicts} = await applyConfiguration(application);
        if (conflicts.length === 0) return `${left.length} owners`;
        const {message} = conflictError(conflicts);
        if (message.length > 10_000) return message;
        return `${left.length} owners, ${conflicts.length} conflicts told in ${message.length} characters`;
      };
    },
  };
}

test.serial('recording owners takes time as objects and owners are large together', async (t) => {
  await checkWork(t, [
    update(
      'everything changed, many appliers',
      (bytes) => owners(bytes, 'Apply'),
      (bytes) => object(bytes, 'b'),
    ),
    update(
      'everything changed, many updaters',
      (bytes) => owners(bytes, 'Update'),
      (bytes) => object(bytes, 'b'),
    ),
    update(
      'everything removed, many appliers',
      (bytes) => owners(bytes, 'Apply'),
      () => object(0, 'b'),
    ),
    update(
      'one field changed, many updaters',
      (bytes) => owners(bytes, 'Update'),
      (bytes) => ({...object(bytes, 'a'), data: {...(object(bytes, 'a')['data'] as object), k0: 'b'}}),
    ),
    {
      name: 'a list of many owners is sorted',
      largest,
      prepare: (bytes) => {
        const entries = owners(bytes, 'Update').reverse();
        return () => `${sortManagedFields(entries).length} owners`;
      },
    },
  ]);
});

test.serial('applying takes time as objects and owners are large together', async (t) => {
  const own = (bytes: number) => [
    {...owner('Apply', 0, membersBy(bytes, 14, (index) => [`f:k${index}`, {}]) as JsonObject), manager: writer.manager},
  ];
  await checkWork(t, [
    apply(
      'everything, owned by many',
      (bytes) => owners(bytes, 'Apply'),
      (bytes) => object(bytes, 'b'),
    ),
    apply(
      'everything, owned by one',
      (bytes) => [{...own(bytes)[0]!, manager: 'other'}],
      (bytes) => object(bytes, 'b'),
    ),
    apply('everything once more', own, (bytes) => object(bytes, 'a')),
    apply('nothing of what was applied before', own, () => ({apiVersion: 'v1', data: {}})),
    apply(
      'nothing of what was applied before, with many owners',
      (bytes) => [...own(bytes / 2), ...owners(bytes / 2, 'Apply')],
      () => ({apiVersion: 'v1', data: {}}),
    ),
  ]);
});

test.serial('reading owners takes time as they are long', async (t) => {
  const read = (name: string, fields: (bytes: number) => JsonObject): Work => ({
    name,
    largest,
    prepare: (bytes) => {
      const entries = [owner('Apply', 0, fields(bytes))];
      return () => `${JSON.stringify(readManagedFields(entries)).length} characters`;
    },
  });
  await checkWork(t, [
    read('members', (bytes) => membersBy(bytes, 14, (index) => [`f:k${index}`, {}]) as JsonObject),
    read('items', (bytes) => membersBy(bytes, 26, (index) => [`k:{"name":"n${index}"}`, {}]) as JsonObject),
    read(
      'one item in many spellings',
      (bytes) =>
        membersBy(bytes / 3, 20, (index) => [
          `v:${' '.repeat(index % 300)}1.0${'0'.repeat(index / 300)}`,
          {[`f:a${index}`]: {}},
        ]) as JsonObject,
    ),
  ]);
});

test('of many conflicts a hundred are named, and how many more there are', (t) => {
  const fields = {'f:data': Object.fromEntries(Array.from({length: 150}, (_, index) => [`f:k${index}`, {}]))};
  const error = conflictError([{owner: owner('Apply', 1, {}), fields}]);
  t.is(error.details?.causes?.length, 100);
  t.regex(error.message, /^Apply failed with 150 conflicts: conflicts with "m1":\n- \.data\.k0\n/);
  t.regex(error.message, /\nand 50 more$/);
});
