import test from 'ava';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {Ajv, type AnySchemaObject} from 'ajv';
import {packageRoot} from '../../../core/kernel/package-root.js';
import {manifestValidator} from '../../../core/kernel/schema/compiled-validators.js';
import {schemaFaults} from '../../../core/kernel/schema/schema-faults.js';
import {interfacesOf, type Member} from './typescript-interfaces.js';

const schema = JSON.parse(readFileSync(join(packageRoot, 'plugin.schema.json'), 'utf8')) as AnySchemaObject;
const definitions = schema['definitions'] as Record<string, AnySchemaObject>;

test('every manifest under plugins and examples is valid', (t) => {
  const manifests = ['plugins', 'examples'].flatMap((folder) => manifestsBelow(join(packageRoot, folder)));
  t.true(manifests.length > 0);
  const validate = manifestValidator();
  for (const file of manifests) {
    const valid = validate(JSON.parse(readFileSync(file, 'utf8')));
    t.deepEqual(valid ? [] : schemaFaults(validate.errors), [], file);
  }
});

test('plugin.schema.json is itself valid, and every member is refused that it does not name', (t) => {
  const ajv = new Ajv({strict: true, strictRequired: false, allowUnionTypes: true});
  t.notThrows(() => ajv.compile(schema));
  for (const [name, definition] of [['manifest', schema], ...Object.entries(definitions)] as const) {
    // A setting may use all keywords of JSON schema.
    if (definition['properties'] === undefined || name === 'configProperty') continue;
    t.false(definition['additionalProperties'], name);
  }
});

// Interface → the part of the schema that describes the same.
const pairs: readonly (readonly [file: string, name: string, part: AnySchemaObject])[] = [
  ['plugin/manifest', 'PluginManifest', schema],
  ['plugin/manifest', 'PluginContributions', definitions['contributions']!],
  ['plugin/manifest', 'StoreContribution', definitions['store']!],
  ['plugin/manifest', 'AdmissionContribution', definitions['admission']!],
  ['plugin/manifest', 'ControllerContribution', definitions['controller']!],
  ['plugin/manifest', 'RouteContribution', definitions['route']!],
  ['plugin/manifest', 'ConfigSchema', definitions['configSchema']!],
  ['plugin/manifest', 'ConfigProperty', definitions['configProperty']!],
  ['plugin/manifest', 'FeatureGateDeclaration', definitions['featureGate']!],
  ['contracts/lifetimes', 'VersionLifetime', definitions['versionLifetime']!],
  ['contracts/lifetimes', 'FeatureGateLifetime', definitions['featureGateLifetime']!],
  ['contracts/lifetimes', 'ElementDeprecation', definitions['elementDeprecation']!],
  ['contracts/resource-definition', 'ResourceDefinition', definitions['resource']!],
  ['contracts/resource-definition', 'ResourceNames', definitions['resourceNames']!],
  ['contracts/resource-definition', 'ResourceVersionDefinition', definitions['resourceVersion']!],
  ['contracts/resource-definition', 'SubresourceDefinition', definitions['subresource']!],
  ['contracts/resource-definition', 'PrinterColumn', definitions['printerColumn']!],
  ['contracts/resource-definition', 'ResourceBehaviour', definitions['behaviour']!],
];

for (const [file, name, part] of pairs) {
  test(`the schema of ${name} has the members of the interface, and requires the same`, (t) => {
    const members = interfacesOf(join(packageRoot, 'sdk', `${file}.ts`)).get(name);
    t.deepEqual(describe(part), members);
  });
}

function describe(part: AnySchemaObject): Member[] {
  const required = (part['required'] ?? []) as string[];
  return Object.keys(part['properties'] as object)
    .map((name) => ({name, optional: !required.includes(name)}))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

function manifestsBelow(folder: string): string[] {
  return readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter((path) => path.endsWith('plugin.json') && !path.includes('node_modules'))
    .map((path) => join(folder, path));
}
