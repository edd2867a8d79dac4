import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {defaultReleaseOf} from '../../../core/api/lifetimes/releases.js';
import {definitionAtRelease} from '../../../core/api/schema/at-release.js';
import type {JsonSchema} from '../../../core/api/schema/json-schema.js';
import {startTestServer} from '@orch-api/orch/testing';
import {projectRoot} from '../../helpers/project-root.js';

interface Described {
  readonly description?: string;
}

interface Property extends Described {
  readonly default?: unknown;
  readonly 'x-orch-name'?: string;
}

interface Definition extends Described {
  readonly properties?: Readonly<Record<string, Property>>;
}

/** The most characters of a description: what a reader takes in at a glance. */
const longest = 240;

/** Definitions of the schema files by `DOCUMENT NAME`, the files found and not listed. */
function writtenDefinitions(): Map<string, Definition> {
  const resources = join(projectRoot(), 'plugins/resources');
  const shared = join(projectRoot(), 'sdk/schemas');
  const files = readdirSync(resources).flatMap((group) => filesOf(join(resources, group), '.schema.json'));
  const found = new Map<string, Definition>();
  for (const path of [...files, ...filesOf(shared, '.json')]) {
    const document = JSON.parse(readFileSync(path, 'utf8')) as {group: string; version: string; definitions: Record<string, Definition>};
    for (const [name, all] of Object.entries(document.definitions)) {
      const definition = definitionAtRelease(all as JsonSchema, defaultReleaseOf());
      if (definition) found.set(`${document.group || 'core'}/${document.version} ${name}`, definition);
    }
  }
  return found;
}

function filesOf(folder: string, ending: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => join(folder, name));
}

/** Every description with its place: of a definition `NAME`, of a property `NAME.PROPERTY`. Those that lack have an empty text. */
function descriptions(definitions: Iterable<readonly [string, Definition]>): [string, string][] {
  return [...definitions].flatMap(([name, definition]): [string, string][] => [
    [name, definition.description ?? ''],
    ...Object.entries(definition.properties ?? {}).map(([property, schema]): [string, string] => [
      `${name}.${property}`,
      schema.description ?? '',
    ]),
  ]);
}

const places = (found: readonly [string, string][]) => found.map(([place]) => place);

test('every type and field of the schema files has a description', (t) => {
  const all = descriptions(writtenDefinitions());
  t.true(all.length > 3000, `${all.length} places`);
  t.deepEqual(places(all.filter(([, text]) => text.trim() === '')), []);
});

test('descriptions are short sentences', (t) => {
  const all = descriptions(writtenDefinitions());
  t.deepEqual(places(all.filter(([, text]) => text.length > longest)), [], `longer than ${longest} characters`);
  t.deepEqual(places(all.filter(([, text]) => !/^[A-Za-z0-9*].*\.$/.test(text))), [], 'no sentence');
});

test('a default that the server fills in is named in the description', (t) => {
  const unnamed: string[] = [];
  let compared = 0;
  for (const [name, {properties = {}}] of writtenDefinitions()) {
    // What controllers write and names that differ by installation are left to the rule itself.
    if (name.endsWith('Status')) continue;
    for (const [property, schema] of Object.entries(properties)) {
      const {default: value, description = ''} = schema;
      if (schema['x-orch-name'] !== undefined || !['boolean', 'number', 'string'].includes(typeof value) || value === '') continue;
      compared++;
      if (!/default/i.test(description) || !description.includes(String(value))) unnamed.push(`${name}.${property}: ${String(value)}`);
    }
  }
  t.true(compared > 50, `${compared} defaults`);
  t.deepEqual(unnamed, []);
});

test('every component of the published documents has a description, with all versions on', async (t) => {
  const server = await startTestServer({runtimeConfig: ['api/all=true']});
  t.teardown(() => server.stop());
  const {paths} = (await server.client.get('/openapi/v3')).json<{paths: Record<string, {serverRelativeURL: string}>}>();
  const built = Object.keys(paths).filter((path) => /^apis?\/.*v\d/.test(path));
  t.true(built.includes('api/v1') && built.includes('apis/resource.orch/v1alpha1') && built.length >= 25, built.join(' '));
  for (const path of built) {
    const document = (await server.client.get(paths[path]!.serverRelativeURL)).json<{components: {schemas: Record<string, Definition>}}>();
    const all = descriptions(Object.entries(document.components.schemas));
    t.true(all.length > 0, path);
    t.deepEqual(places(all.filter(([, text]) => text.trim() === '')), [], path);
  }
});
