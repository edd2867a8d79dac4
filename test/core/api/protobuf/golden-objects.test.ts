import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import type {JsonObject, JsonValue} from '../../../../sdk/index.js';
import {kubernetes} from '../../../../core/api/naming/kubernetes.js';
import {decodeCarried, encodeObject, openEnvelope} from '../../../../core/api/protobuf/envelope.js';
import {readSchemaFile, SchemaCatalog} from '../../../../core/api/schema/schema-catalog.js';
import {documentId} from '../../../../core/api/schema/schema-document.js';
import type {SchemaNode} from '../../../../core/api/schema/schema-node.js';
import {projectRoot} from '../../../helpers/project-root.js';

const golden = join(projectRoot(), '../shared/golden');
const resources = join(projectRoot(), 'plugins/resources');

function allSchemas(): SchemaCatalog {
  const catalog = new SchemaCatalog();
  for (const folder of readdirSync(resources)) {
    for (const name of readdirSync(join(resources, folder)).filter((file) => file.endsWith('.schema.json'))) {
      const document = readSchemaFile(join(resources, folder, name));
      catalog.add(documentId(document.group, document.version), () => document);
    }
  }
  return catalog;
}

function find(catalog: SchemaCatalog, group: string, version: string, kind: string): SchemaNode | undefined {
  for (const id of [documentId(kubernetes.neutralGroup(group), version), 'meta.orch/v1']) {
    if (!catalog.has(id)) continue;
    try {
      return catalog.schema(`${id}#/definitions/${kind}`).node;
    } catch (error) {
      if (!(error as Error).message.includes('no definition')) throw error;
    }
  }
  return undefined;
}

function sorted(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((item) => sorted(item)!);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}

const run = existsSync(golden) ? test : test.skip;

run(
  'every golden object is encoded to the bytes of its file and decoded back [A-PROTO-1] [A-PROTO-2] [A-PROTO-3] [A-PROTO-4] [A-PROTO-5]',
  (t) => {
    const catalog = allSchemas();
    let checked = 0;
    for (const file of readdirSync(golden).filter((name) => name.endsWith('.json'))) {
      const object = JSON.parse(readFileSync(join(golden, file), 'utf8')) as JsonObject;
      if (typeof object['apiVersion'] !== 'string' || typeof object['kind'] !== 'string') continue;
      const [group, version] = object['apiVersion'].includes('/')
        ? (object['apiVersion'].split('/') as [string, string])
        : ['', object['apiVersion']];
      const node = find(catalog, group, version, object['kind']);
      if (!node) continue;
      const bytes = readFileSync(join(golden, file.replace('.json', '.pb')));
      t.deepEqual(encodeObject(object, {group, version, kind: object['kind']}, node), bytes, file);
      t.deepEqual(sorted(withoutNulls(decodeCarried(openEnvelope(bytes), node))), sorted(withoutNulls(object)), file);
      checked += 1;
    }
    t.true(checked > 90, `only ${checked} golden objects were found`);
  },
);

/** A null says the same as an absent member. */
function withoutNulls(value: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(value, (_key, member: unknown) => (member === null ? undefined : member))) as JsonObject;
}
