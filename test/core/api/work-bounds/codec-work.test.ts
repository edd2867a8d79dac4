import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {decodeJson} from '../../../../core/api/codec/json.js';
import {decodeYaml} from '../../../../core/api/codec/yaml.js';
import {encodeObject, openEnvelope, sealEnvelope} from '../../../../core/api/protobuf/envelope.js';
import {decodeCarried} from '../../../helpers/decode-carried.js';
import {readSchemaFile, SchemaCatalog} from '../../../../core/api/object-schema/schema-catalog.js';
import {documentId} from '../../../../core/api/schema/schema-document.js';
import type {SchemaNode} from '../../../../core/api/schema/schema-node.js';
import {maximumBodyValues} from '../../../../core/http/body/decode-body.js';
import {projectRoot} from '../../../helpers/project-root.js';
import {checkWork, largestBody, listBy, repeated, type Work} from './measure-work.js';

const maximumValues = maximumBodyValues.clusterWide;
const options = {duplicates: true, maximumValues};

function json(name: string, text: (bytes: number) => string): Work {
  return {
    name,
    prepare: (bytes) => {
      const body = Buffer.from(text(bytes));
      return () => `${decodeJson(body, options).duplicates.join().length} characters of duplicates`;
    },
  };
}

test.serial('reading JSON takes time as it is long, and as it has values', async (t) => {
  const list = (item: string) => (bytes: number) => `[${repeated(bytes, `${item},`)}0]`;
  await checkWork(t, [
    json('numbers', list('0')),
    json('objects', list('{}')),
    json('members', (bytes) => `{${listBy(bytes, 12, (index) => `"k${index}":0`).join()}}`),
    json('one member again and again', (bytes) => `{${repeated(bytes, '"a":0,')}"a":0}`),
    json('a duplicate in each object', list('{"a":0,"a":0}')),
    json(
      'duplicates below a long name',
      (bytes) => `{"${'k'.repeat(bytes / 2)}":{${listBy(bytes / 2, 20, (index) => `"m${index}":0,"m${index}":1`).join()}}}`,
    ),
    json('exponents', list('1e1')),
    json('long integers', list('12345678901234567890')),
    json('one integer of all digits', (bytes) => `[${repeated(bytes, '1')}]`),
    json('a long integer, then numbers', (bytes) => `[12345678901234567890,${repeated(bytes, '0,')}0]`),
    json('fractions', list('0.1234567890123456')),
    json('depth', list(`${'['.repeat(990)}${']'.repeat(990)}`)),
    json('escapes', (bytes) => `["${repeated(bytes, '\\u0041')}"]`),
    json('colons in texts', (bytes) => `["${repeated(bytes, ':')}"]`),
    json('spaces', (bytes) => `${repeated(bytes, ' ')}0`),
    json('a fault at the end', (bytes) => `[${repeated(bytes, '\n')}}`),
  ]);
});

function yaml(name: string, text: (bytes: number) => string): Work {
  return {
    name,
    // Texts that are not JSON may not be longer.
    largest: 1024 * 1024,
    prepare: (bytes) => {
      const body = Buffer.from(text(bytes));
      return () => `${decodeYaml(body, options).duplicates.join().length} characters of duplicates`;
    },
  };
}

test.serial('reading YAML takes time as it is long', async (t) => {
  const lines = (line: string) => (bytes: number) => repeated(bytes, `${line}\n`);
  const after =
    (start: string, again: string, end = '') =>
    (bytes: number) =>
      `${start}${repeated(bytes, again)}${end}`;
  await checkWork(t, [
    yaml('items', lines('- a')),
    yaml('empty items', lines('-')),
    yaml('numbers', lines('- 1')),
    yaml('a list in brackets', after('a: [', 'a,', 'a]')),
    yaml('objects in braces', after('a: [', '{},', '{}]')),
    yaml('members', (bytes) => listBy(bytes, 12, (index) => `k${index}: 0`).join('\n')),
    yaml('one member again and again', lines('a: 0')),
    yaml('a long text', after('a: ', 'a ')),
    yaml('a text of many lines', after('a: ', 'a\n  ')),
    yaml('a quoted text of many lines', after('a: "', 'a\n  ', '"')),
    yaml('escapes', after('a: "', '\\x41', '"')),
    yaml('a block', after('a: |\n', '  a\n')),
    yaml('a folded block', after('a: >\n', '  a\n')),
    yaml('comments', after('a: 1\n', '#\n')),
    yaml('empty lines', after('a: 1\n', '\n', 'b: 1')),
    yaml('anchors', (bytes) => listBy(bytes, 12, (index) => `- &a${index} x`).join('\n')),
    yaml('aliases', after('a: &a x\nb:\n', '- *a\n')),
    yaml('aliases of a list', (bytes) => `a: &a [${repeated(bytes / 2, 'x,')}x]\nb:\n${repeated(bytes / 2, '- *a\n')}`),
    yaml(
      'merged members',
      (bytes) => `a: &a {${listBy(bytes / 2, 10, (index) => `k${index}: 0`).join()}}\nb:\n${repeated(bytes / 2, '  <<: *a\n')}`,
    ),
    yaml('small merges', after('a: &a {x: 1}\nb:\n', '- <<: *a\n')),
    yaml('depth in brackets', (bytes) => `a: ${'['.repeat(900)}${repeated(bytes, 'a,')}a${']'.repeat(900)}`),
    yaml('depth of dashes', lines(`${'- '.repeat(900)}a`)),
    yaml('explicit keys', lines('? a\n: b')),
    yaml('tags', lines('- !!str a')),
    yaml('one integer of all digits', after('a: ', '1')),
    yaml('one integer of underscores', after('a: 1', '_')),
    yaml('documents', lines('---')),
    yaml('JSON that ends badly', after('{"a":[', '0,', '0]} x')),
    yaml('brackets that do not end', (bytes) => `a: [${'['.repeat(500)}${repeated(bytes, 'a ')}`),
    yaml('tabs', after('a: 1', '\t')),
  ]);
});

test('YAML that is not JSON is refused above a megabyte before it is read', (t) => {
  const body = Buffer.from(repeated(1024 * 1024 + 10, '- a\n'));
  t.like(
    t.throws(() => decodeYaml(body, options)),
    {code: 413},
  );
});

test('a body of more values than are allowed is refused in each form', (t) => {
  const count = maximumValues + 1;
  const few = {maximumValues: 100};
  t.like(
    t.throws(() => decodeJson(Buffer.from(`[${repeated(2 * count, '0,')}0]`), options)),
    {code: 413},
  );
  t.like(
    t.throws(() => decodeYaml(Buffer.from(repeated(800, '- 1\n')), few)),
    {code: 413},
  );
  const pods = podNode();
  const many = encodeObject(
    {spec: {containers: Array.from({length: 200}, () => ({name: 'a'}))}},
    {group: '', version: 'v1', kind: 'Pod'},
    pods,
  );
  t.like(
    t.throws(() => decodeCarried(openEnvelope(many), pods, 100)),
    {code: 413},
  );
});

const catalog = new SchemaCatalog();
for (const folder of readdirSync(join(projectRoot(), 'plugins/resources'))) {
  const path = join(projectRoot(), 'plugins/resources', folder);
  if (!folder.includes('.')) {
    for (const file of readdirSync(path).filter((name) => name.endsWith('.schema.json'))) {
      const document = readSchemaFile(join(path, file));
      catalog.add(documentId(document.group, document.version), () => document);
    }
  }
}

function nodeOf(kind: string): SchemaNode {
  return catalog.schema(`core/v1#/definitions/${kind}`).node;
}

function podNode(): SchemaNode {
  return nodeOf('Pod');
}

test('binary bodies that break off in depth leave nothing behind for those that come after', (t) => {
  const pod = podNode();
  const broken = sealEnvelope('v1', 'Pod', Buffer.from([0x12, 4, 0x12, 2, 0x0a, 50]));
  const whole = encodeObject({metadata: {name: 'one'}, spec: {containers: [{name: 'a'}]}}, {group: '', version: 'v1', kind: 'Pod'}, pod);
  for (let count = 0; count < 200; count++) {
    t.throws(() => decodeCarried(openEnvelope(broken), pod, maximumValues));
    t.like(decodeCarried(openEnvelope(whole), pod, maximumValues), {metadata: {name: 'one'}});
  }
});

function binary(name: string, kind: string, body: (bytes: number) => Buffer): Work {
  return {
    name,
    largest: largestBody,
    prepare: (bytes) => {
      const node = nodeOf(kind);
      const message = sealEnvelope('v1', kind, body(bytes));
      return () => `${JSON.stringify(decodeCarried(openEnvelope(message), node, maximumValues)).length} characters`;
    },
  };
}

test.serial('reading binary objects takes time as they are long', async (t) => {
  const message = (number: number, content: Buffer) => {
    const length = [];
    for (let rest = content.length; ; rest >>>= 7) {
      length.push(rest > 127 ? (rest & 127) | 128 : rest);
      if (rest <= 127) break;
    }
    return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), content]);
  };
  const filled = (bytes: number, content: readonly number[]) =>
    Buffer.alloc(Math.floor(bytes / content.length) * content.length, Buffer.from(content));
  await checkWork(t, [
    binary('empty items', 'Pod', (bytes) => message(2, filled(bytes, [0x12, 0]))),
    binary('members', 'ConfigMap', (bytes) =>
      Buffer.concat(
        listBy(bytes, 12, (index) =>
          message(2, Buffer.concat([message(1, Buffer.from(`k${index}`)), message(2, Buffer.alloc(0))])),
        ) as Buffer[],
      ),
    ),
    binary('one member again and again', 'ConfigMap', (bytes) => filled(bytes, [0x12, 5, 0x0a, 1, 97, 0x12, 0])),
    binary('unknown fields', 'ConfigMap', (bytes) => filled(bytes, [0xa0, 0x06, 1])),
    binary('groups in groups', 'ConfigMap', (bytes) => filled(bytes, [0xa3])),
    binary('metadata again and again', 'ConfigMap', (bytes) => filled(bytes, [0x0a, 0])),
  ]);
});
