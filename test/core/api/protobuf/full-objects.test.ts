import test from 'ava';
import type {JsonObject, JsonValue} from '../../../../sdk/index.js';
import {BuiltInTables} from '../../../helpers/built-in-tables.js';
import {FullObjects} from '../../../helpers/full-objects.js';
import {ReferenceMessages} from '../../../helpers/reference-messages.js';
import {kubernetes} from '../../../../core/api/naming/kubernetes.js';
import {encodeObject, openEnvelope} from '../../../../core/api/protobuf/envelope.js';
import {decodeCarried} from '../../../helpers/decode-carried.js';
import {builtInCatalog} from '../schema/catalog-fixture.js';
import {documentId} from '../../../../core/api/schema/schema-document.js';

function sorted(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((item) => sorted(item)!);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}

test('an object with every field set is encoded to the bytes of the reference and decoded back, for every kind [A-PROTO-1] [A-PROTO-2] [A-PROTO-3] [A-PROTO-4] [A-PROTO-5]', (t) => {
  const catalog = builtInCatalog();
  const tables = new BuiltInTables();
  const objects = new FullObjects(tables);
  const reference = new ReferenceMessages(tables);
  const checked: string[] = [];
  for (const found of tables.kinds()) {
    const {table, name: kind} = found;
    if (found.message.pb === false) continue;
    const id = documentId(kubernetes.neutralGroup(table.group), table.version);
    if (!catalog.has(id) && id !== 'meta.orch/v1') continue;
    const {node} = catalog.schema(`${id}#/definitions/${kind}`);
    const object = objects.object(found);
    const title = `${table.key} ${kind}`;
    const bytes = reference.encode(found, object);
    t.deepEqual(encodeObject(object, {group: table.group, version: table.version, kind}, node), bytes, title);
    t.deepEqual(sorted(withoutNulls(decodeCarried(openEnvelope(bytes), node))), sorted(withoutNulls(object)), title);
    checked.push(title);
  }
  t.true(checked.length > 90, `only ${checked.length} kinds: ${checked.join(', ')}`);
  for (const title of ['core.v1 Pod', 'apps.v1 StatefulSet', 'apiextensions.v1 CustomResourceDefinition', 'meta.v1 Status'])
    t.true(checked.includes(title), title);
});

/** A null says the same as an absent member. */
function withoutNulls(value: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(value, (_key, member: unknown) => (member === null ? undefined : member))) as JsonObject;
}
