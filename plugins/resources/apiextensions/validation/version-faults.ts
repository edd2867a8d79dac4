import {
  dns1035LabelFaults,
  FieldPath,
  invalid,
  required,
  type FieldError,
  type Interruptible,
  type Schemas,
} from '../../../../sdk/index.js';
import {
  versionsOf,
  type CustomResourceDefinition,
  type DefinitionVersion,
  type PrinterColumnDefinition,
} from '../custom-resource-definition.js';
import {someSchema, type SchemaProps} from '../schema-props.js';
import {versionSchemaFaults} from './schema/version-schema-faults.js';
import {selectableFieldFaults} from './selectable-field-faults.js';
import {subresourceFaults} from './subresource-faults.js';
import type {Ratcheting} from './ratcheting.js';
import {versionPaths, type VersionPaths} from './version-paths.js';

const types: readonly string[] = ['boolean', 'date', 'integer', 'number', 'string'];
const formats: readonly string[] = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/** What the rules for one version need to know about the definition. */
interface Surroundings {
  /** Whether any version has a status subresource: a shared schema must be valid for that one. */
  readonly anyStatus: boolean;
  readonly prunes: boolean;
  readonly mustBeStructural: boolean;
  readonly schemas: Schemas;
  readonly ratcheting: Ratcheting;
}

/** All errors in `spec.versions`. */
export function* versionFaults(
  definition: Pick<CustomResourceDefinition, 'spec'>,
  path: FieldPath,
  schemas: Schemas,
  ratcheting: Ratcheting,
): Interruptible<FieldError[]> {
  const versions = versionsOf(definition);
  const names = versions.map(({name}) => name);
  const paths = versionPaths(definition);
  const prunes = !definition.spec.preserveUnknownFields;
  const surroundings = {
    anyStatus: versions.some(({subresources}) => subresources?.status !== undefined),
    prunes,
    mustBeStructural: prunes || versions.some(({schema}) => schema?.openAPIV3Schema && someSchema(schema.openAPIV3Schema, needsStructure)),
    schemas,
    ratcheting,
  };
  const faults = firstVersionFaults(versions[0]);
  for (const [position, version] of versions.entries()) {
    faults.push(...(yield* faultsOf(version, paths[position]!, surroundings)));
    yield;
  }
  if (new Set(names).size < names.length) faults.push(invalid(path, names, 'must contain unique version names'));
  const stored = versions.filter(({storage}) => storage).map(({name}) => name);
  if (stored.length !== 1) {
    const shown = versions.length === 0 ? definition.spec.versions : stored;
    faults.push(invalid(path, shown, 'must have exactly one version marked as storage version'));
  }
  return faults;
}

/** Kubernetes also reports a wrong name of the first version under the name from the time when definitions had only one. */
function firstVersionFaults(first: DefinitionVersion | undefined): FieldError[] {
  const wrongName = first ? dns1035LabelFaults(first.name) : [];
  return wrongName.length > 0 && first!.name !== '' ? [invalid(FieldPath.of('spec', 'version'), first!.name, wrongName.join(','))] : [];
}

/** Keywords that only have a meaning in structural schemas. */
function needsStructure(schema: SchemaProps): boolean {
  return [
    'default',
    'x-kubernetes-embedded-resource',
    'x-kubernetes-preserve-unknown-fields',
    'x-kubernetes-int-or-string',
    'x-kubernetes-list-map-keys',
    'x-kubernetes-list-type',
    'x-kubernetes-validations',
  ].some((keyword) => schema[keyword as keyof SchemaProps] !== undefined);
}

function* faultsOf(
  version: DefinitionVersion,
  paths: VersionPaths,
  {anyStatus, prunes, mustBeStructural, schemas, ratcheting}: Surroundings,
): Interruptible<FieldError[]> {
  const {name, served, subresources, schema, additionalPrinterColumns} = version;
  const faults: FieldError[] = [];
  const wrongName = dns1035LabelFaults(name);
  if (wrongName.length > 0) faults.push(invalid(paths.version.child('name'), name, wrongName.join(',')));
  faults.push(...deprecationFaults(version, paths.version.child('deprecationWarning')));
  const root = schema?.openAPIV3Schema;
  if (!root) {
    const at = paths.version.child('schema', 'openAPIV3Schema');
    if (!ratcheting.missingSchemas) faults.push(required(at, ratcheting.behaviour.shortDetails ? '' : 'schemas are required'));
    else if (prunes && served) faults.push(required(at, 'because otherwise all fields are pruned'));
  } else if (!paths.repeats.schema) {
    const hasStatus = paths.shares.schema ? anyStatus : subresources?.status !== undefined;
    const at = paths.schema.child('openAPIV3Schema');
    const schemaCase = {path: at, hasStatus, mustBeStructural, old: ratcheting.schemaOf(name)};
    faults.push(...(yield* versionSchemaFaults(root, schemaCase, schemas, ratcheting)));
  }
  if (!paths.repeats.subresources) faults.push(...subresourceFaults(subresources, paths.subresources));
  if (!paths.repeats.columns)
    additionalPrinterColumns?.forEach((column, position) => faults.push(...columnFaults(column, paths.columns.index(position))));
  if (!paths.repeats.selectableFields) faults.push(...selectableFieldFaults(version, root, paths.selectableFields, ratcheting));
  return faults;
}

function deprecationFaults({deprecated, deprecationWarning}: DefinitionVersion, path: FieldPath): FieldError[] {
  if (deprecationWarning === undefined) return [];
  const faults: FieldError[] = [];
  const report = (detail: string) => faults.push(invalid(path, deprecationWarning, detail));
  if (!deprecated) return [invalid(path, deprecationWarning, 'can only be set for deprecated versions')];
  if (Buffer.byteLength(deprecationWarning) > 256) report('must be <= 256 characters long');
  if (deprecationWarning === '') report('must not be an empty string');
  const hidden = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(deprecationWarning);
  if (hidden) {
    const index = Buffer.byteLength(deprecationWarning.slice(0, hidden.index));
    report(`must only contain printable UTF-8 characters; non-printable character found at index ${index}`);
  }
  return faults;
}

/** Errors in a printer column. */
function columnFaults({name, type, format, jsonPath}: PrinterColumnDefinition, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  if (name === '') faults.push(required(path.child('name')));
  const oneOfTypes = `must be one of ${types.join(',')}`;
  if (type === '') faults.push(required(path.child('type'), oneOfTypes));
  else if (!types.includes(type)) faults.push(invalid(path.child('type'), type, oneOfTypes));
  if (format && !formats.includes(format)) faults.push(invalid(path.child('format'), format, `must be one of ${formats.join(',')}`));
  if (jsonPath === '') faults.push(required(path.child('JSONPath')));
  else if (!jsonPath.startsWith('.')) faults.push(invalid(path.child('JSONPath'), jsonPath, 'must be a simple json path starting with .'));
  return faults;
}
