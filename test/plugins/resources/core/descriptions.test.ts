import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {projectRoot} from '../../../helpers/project-root.js';
import {servedGroup} from '../served-group.js';

interface Schema {
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

type Schemas = Readonly<Record<string, Schema>>;

const client = servedGroup(test);
const {definitions} = JSON.parse(readFileSync(join(projectRoot(), 'plugins/resources/core/v1.schema.json'), 'utf8')) as {
  definitions: Schemas;
};
const fields = Object.entries(definitions).flatMap(([type, {properties = {}}]) =>
  Object.entries(properties).map(([field, schema]): [string, Schema] => [`${type}.${field}`, schema]),
);

/** Words without the punctuation around them. */
function wordsOf(description: string): Set<string> {
  return new Set(description.split(/[\s,;:()]+/).map((word) => word.replace(/\.$/, '')));
}

function silent(candidates: readonly [string, Schema][], expected: (schema: Schema) => readonly string[]): string[] {
  return candidates
    .filter(([, schema]) => expected(schema).some((word) => !wordsOf(schema.description ?? '').has(word)))
    .map(([name]) => name);
}

test('descriptions of the core group name every value of a field that takes certain values only', (t) => {
  // Signals are those of the system, some sixty.
  const closed = fields.filter(([, schema]) => schema.enum && !schema.enum.includes('SIGKILL'));
  t.true(closed.length > 40, `${closed.length} fields`);
  t.deepEqual(
    silent(closed, (schema) => schema.enum!.filter((value) => value !== '')),
    [],
  );
});

test('descriptions of the core group say which fields are deprecated', (t) => {
  const deprecated = fields.filter(([, schema]) => schema.deprecated);
  t.true(deprecated.length > 5, `${deprecated.length} fields`);
  t.deepEqual(
    silent(deprecated, () => ['Deprecated']),
    [],
  );
});

test('a field that refers to another type is published with its own description', async (t) => {
  const {components} = (await client().get('/openapi/v3/api/v1')).json<{components: {schemas: Schemas}}>();
  const swagger = (await client().get('/openapi/v2')).json<{definitions: Schemas}>();
  for (const schemas of [components.schemas, swagger.definitions]) {
    const [, container] = Object.entries(schemas).find(([name]) => name.endsWith('.core.v1.Container'))!;
    for (const field of ['livenessProbe', 'securityContext', 'name']) {
      t.is(container.properties![field]!.description, definitions['Container']!.properties![field]!.description, field);
    }
  }
});
