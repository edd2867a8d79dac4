import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import {
  atOnce,
  FieldPath,
  type FieldError,
  type ResourceDefinition,
  type ResourceVersionDefinition,
  type SubresourceDefinition,
} from '../../sdk/index.js';
import type {DefinitionSpec, DefinitionVersion} from '../../plugins/resources/apiextensions/custom-resource-definition.js';
import {StoredRatcheting} from '../../plugins/resources/apiextensions/validation/stored-ratcheting.js';
import {versionFaults} from '../../plugins/resources/apiextensions/validation/version-faults.js';
import type {JsonSchema} from '../api/schema/json-schema.js';
import {existsIn} from '../api/lifetimes/version-stability.js';
import {readSchemaFile, type SchemaCatalog} from '../api/object-schema/schema-catalog.js';
import {errorDetail} from '../kernel/error-detail.js';
import type {KernelProblem} from '../kernel/kernel-error.js';
import type {FoundPlugin} from '../kernel/manifests/read-manifest.js';
import {schemaFaults, type SchemaFault} from '../kernel/schema/schema-faults.js';
import {serverProblem} from '../configuration/error-catalogue.js';
import {PluginSchemaChecks} from './plugin-schema-checks.js';
import {pluginSchema, type PluginSchema} from './plugin-schema.js';
import {protobufFaults} from './protobuf-faults.js';
import {requiredFieldFaults} from './required-fields.js';
import type {SchemaDocument} from '../api/schema/schema-document.js';
import {compiledValidator} from '../kernel/schema/compiled-validators.js';

/** More faults than anybody reads at once. */
const maximumFaults = 50;

/**
 * What is wrong with the resource types of a plugin, by the rules for custom resource definitions and those of manifests: schemas, rules, defaults, columns,
 * subresources, selectable fields, numbers of protobuf fields.
 *
 * @param catalog with the documents of all plugins, as the release has them
 * @param release versions that it does not have are not looked at
 */
export function resourceProblems(plugin: FoundPlugin, catalog: SchemaCatalog, release: string): KernelProblem[] {
  const problems: KernelProblem[] = [];
  const files = new Map<string, boolean>();
  for (const [index, definition] of (plugin.manifest.contributes?.resources ?? []).entries()) {
    const place = {plugin: plugin.name, file: plugin.file};
    for (const {path, text} of endpointFaults(definition, `contributes.resources[${index}].behaviour.resetFields`))
      problems.push(serverProblem('CONTRIBUTION_INVALID', {detail: text}, {...place, path}));
    for (const [position, version] of definition.versions.entries()) {
      if (!existsIn(release, version.lifetime)) continue;
      const at = `contributes.resources[${index}].versions[${position}]`;
      problems.push(...versionProblems(plugin, {definition, version, at, catalog, files}));
    }
  }
  return problems.slice(0, maximumFaults);
}

/** Fields are kept from the clients of an endpoint that there is. */
function endpointFaults({behaviour, versions}: ResourceDefinition, path: string): SchemaFault[] {
  const endpoints = new Set(['main', ...versions.flatMap(({subresources}) => Object.keys(subresources ?? {}))]);
  return Object.keys(behaviour?.resetFields ?? {})
    .filter((name) => !endpoints.has(name))
    .map((name) => ({path: `${path}.${name}`, text: `is no endpoint of the type; there are ${[...endpoints].join(', ')}`}));
}

interface VersionCase {
  readonly definition: ResourceDefinition;
  readonly version: ResourceVersionDefinition;
  /** Its path in the manifest. */
  readonly at: string;
  readonly catalog: SchemaCatalog;
  /** Schema files that have been looked at, and whether they are in form. */
  readonly files: Map<string, boolean>;
}

function versionProblems(plugin: FoundPlugin, versionCase: VersionCase): KernelProblem[] {
  const {definition, version, at, catalog} = versionCase;
  const place = (path: string) => ({plugin: plugin.name, file: plugin.file, path});
  const form = formProblems(plugin, versionCase);
  if (form.length > 0 || !isReadable(plugin, versionCase)) return form;
  let schema: PluginSchema;
  try {
    schema = pluginSchema(version.schema as string | JsonSchema, plugin.folder, catalog);
  } catch (error) {
    const reference = typeof version.schema === 'string' ? version.schema : 'inside the manifest';
    return [serverProblem('SCHEMA_UNRESOLVED', {reference, detail: errorDetail(error)}, place(`${at}.schema`))];
  }
  const checks = new PluginSchemaChecks(catalog, schema.served);
  const faults: SchemaFault[] = [];
  if (!schema.isTyped) faults.push(...definitionFaults(versionCase, schema, checks), ...requiredFieldFaults(schema.whole, `${at}.schema`));
  for (const [position, {jsonPath}] of (version.printerColumns ?? []).entries()) {
    const detail = jsonPath?.startsWith('.') ? checks.jsonPathFault(jsonPath) : undefined;
    if (detail !== undefined) faults.push({path: `${at}.printerColumns[${position}].jsonPath`, text: `cannot be used: ${detail}`});
  }
  for (const [name, subresource] of Object.entries(version.subresources ?? {}))
    faults.push(...subresourceFaults(name, subresource, schema, `${at}.subresources.${name}`));
  if (definition.strategy === undefined) faults.push(...computedColumnFaults(version, at));
  return faults.map(({path, text}) => serverProblem('CONTRIBUTION_INVALID', {detail: text}, place(path)));
}

/** Unknown keywords, values of the wrong type, and numbers of protobuf fields. A file is reported with the first version that names it. */
function formProblems(plugin: FoundPlugin, {version: {schema}, at, files}: VersionCase): KernelProblem[] {
  const invalid = (file: string, path: string, text: string) =>
    serverProblem('CONTRIBUTION_INVALID', {detail: text}, {plugin: plugin.name, file, path});
  if (typeof schema !== 'string')
    return inlineSchemaFaults(schema as JsonSchema).map(({path, text}) =>
      invalid(plugin.file, path === '' ? `${at}.schema` : `${at}.schema.${path}`, `${path === '' ? 'the schema' : path} ${text}`),
    );
  const file = fileOf(schema, plugin.folder);
  if (file === undefined || files.has(file)) return [];
  files.set(file, false);
  let faults: SchemaFault[];
  try {
    const document = readSchemaFile(file);
    faults = formFaults(document);
    if (faults.length === 0)
      faults = Object.entries(document.definitions).flatMap(([name, each]) => protobufFaults(each, `definitions.${name}`));
  } catch (error) {
    return [invalid(file, '', `is no schema file: ${errorDetail(error)}`)];
  }
  files.set(file, faults.length === 0);
  return faults.map(({path, text}) => invalid(file, path, `${path} ${text}`));
}

/** Whether the schema can be looked at further: its file is there and in form. */
function isReadable(plugin: FoundPlugin, {version: {schema}, files}: VersionCase): boolean {
  if (typeof schema !== 'string' || !schema.split('#', 1)[0]!.endsWith('.json')) return true;
  const file = fileOf(schema, plugin.folder);
  return file !== undefined && files.get(file) === true;
}

/** A schema file that exists; missing ones are reported with the manifest. */
function fileOf(reference: string, folder: string): string | undefined {
  const [name] = reference.split('#', 1) as [string];
  if (!name.endsWith('.json')) return undefined;
  const file = resolve(folder, name);
  return existsSync(file) ? file : undefined;
}

/** The faults that a custom resource definition with this version would have. */
function definitionFaults({definition, version, at}: VersionCase, {whole}: PluginSchema, checks: PluginSchemaChecks): SchemaFault[] {
  const {status, scale} = version.subresources ?? {};
  const asDefined = {
    name: version.name,
    served: true,
    storage: true,
    schema: {openAPIV3Schema: whole},
    subresources: {
      ...(status && {status: {}}),
      ...(scale && scale.handler === undefined && {scale: {specReplicasPath: '', statusReplicasPath: '', ...scale}}),
    },
    // What a strategy computes has no path; a path that exists stands in for it, so that the others keep their positions.
    additionalPrinterColumns: (version.printerColumns ?? []).map(({format, jsonPath = '.metadata.name', ...column}) => ({
      ...column,
      jsonPath,
      // Only plugins can say that a column has the object's name.
      ...(format !== undefined && format !== 'name' && {format}),
    })),
    // A strategy may compute these too.
    selectableFields: definition.strategy === undefined ? (version.selectableFields ?? []).map((path) => ({jsonPath: `.${path}`})) : [],
  };
  const spec = {
    group: definition.group,
    names: definition.names,
    scope: definition.scope,
    versions: [asDefined as unknown as DefinitionVersion],
  };
  const path = FieldPath.of('spec', 'versions');
  const faults = atOnce(versionFaults({spec: spec as unknown as DefinitionSpec}, path, checks, new StoredRatcheting(checks)));
  return faults.map((fault) => ({path: manifestPath(fault, at), text: `is not valid: ${fault.body}`}));
}

/** Where the manifest has what a definition has under another name. */
function manifestPath({field}: FieldError, at: string): string {
  return field
    .replace('spec.validation.openAPIV3Schema', `${at}.schema`)
    .replace('spec.additionalPrinterColumns', `${at}.printerColumns`)
    .replace('spec.subresources', `${at}.subresources`)
    .replace('spec.versions[0]', at)
    .replace(/\.JSONPath$/, '.jsonPath');
}

function subresourceFaults(name: string, subresource: SubresourceDefinition, {whole}: PluginSchema, path: string): SchemaFault[] {
  const {handler, writes, specReplicasPath, statusReplicasPath} = subresource;
  if (name === 'scale' && handler === undefined) {
    const paths = {specReplicasPath, statusReplicasPath};
    return Object.entries(paths).flatMap(([member, value]) => {
      const type = value?.startsWith('.') ? typeAtPath(whole, value) : 'any';
      if (type === 'integer' || type === 'any') return [];
      return [
        {
          path: `${path}.${member}`,
          text: type === undefined ? `names ${value}, which the schema does not have` : `must lead to an integer, not to a ${type}`,
        },
      ];
    });
  }
  if (name === 'status' || handler !== undefined || writes !== undefined) return [];
  return [{path, text: 'would not be served: it needs `handler` (a class that does the work) or `writes` (the paths that it may change)'}];
}

function computedColumnFaults({printerColumns = []}: ResourceVersionDefinition, at: string): SchemaFault[] {
  return printerColumns.flatMap(({jsonPath}, position) =>
    jsonPath === undefined
      ? [
          {
            path: `${at}.printerColumns[${position}]`,
            text: 'has no `jsonPath`, and there is no strategy whose `tableCells` could compute it',
          },
        ]
      : [],
  );
}

/** The same as `formFaults`, for a schema inside a manifest. */
function inlineSchemaFaults(schema: JsonSchema): SchemaFault[] {
  const prefix = 'definitions.schema';
  return formFaults({definitions: {schema}}).map(({path, text}) => ({path: path.replace(prefix, '').replace(/^\./, ''), text}));
}

/** Keywords, their types and references' form, in a whole schema file (`schema-file.schema.json`). */
function formFaults(document: Pick<SchemaDocument, 'definitions'>): SchemaFault[] {
  const validate = compiledValidator(new URL('schema-file.validator.cjs', import.meta.url));
  return validate(document) ? [] : schemaFaults(validate.errors);
}

/**
 * What a path in dot notation (`.spec.replicas`) leads to in a schema: a type, `any` where the schema leaves everything open, or undefined if there is no such
 * field.
 */
function typeAtPath(schema: JsonSchema, path: string): string | undefined {
  let place: JsonSchema = schema;
  for (const name of path.slice(1).split('.')) {
    const {properties = {}, additionalProperties} = place;
    if (Object.hasOwn(properties, name)) place = properties[name]!;
    else if (typeof additionalProperties === 'object') place = additionalProperties;
    else return (place as Record<string, unknown>)['x-kubernetes-preserve-unknown-fields'] === true ? 'any' : undefined;
  }
  return place.type ?? 'any';
}
