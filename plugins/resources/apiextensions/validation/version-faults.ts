import {dns1035LabelFaults, invalid, required, type FieldError, type FieldPath, type Schemas} from '../../../../sdk/index.js';
import {versionsOf, type CustomResourceDefinition, type DefinitionVersion} from '../custom-resource-definition.js';
import {columnFaults} from './column-faults.js';
import {versionSchemaFaults} from './schema/version-schema-faults.js';
import {selectableFieldFaults} from './selectable-field-faults.js';
import {subresourceFaults} from './subresource-faults.js';
import {versionPaths, type VersionPaths} from './version-paths.js';

/** All faults of `spec.versions`. */
export function versionFaults(definition: Pick<CustomResourceDefinition, 'spec'>, path: FieldPath, schemas: Schemas): FieldError[] {
  const versions = versionsOf(definition);
  const names = versions.map(({name}) => name);
  if (versions.length === 0) return [required(path)];
  const paths = versionPaths(definition);
  const anyStatus = versions.some(({subresources}) => subresources?.status !== undefined);
  const faults = versions.flatMap((version, position) => faultsOf(version, paths[position]!, anyStatus, schemas));
  if (new Set(names).size < names.length) faults.push(invalid(path, names, 'must contain unique version names'));
  const stored = versions.filter(({storage}) => storage).map(({name}) => name);
  if (stored.length !== 1) faults.push(invalid(path, stored, 'must have exactly one version marked as storage version'));
  return faults;
}

/** @param anyStatus whether some version has a status: a schema that all share must suit that one */
function faultsOf(version: DefinitionVersion, paths: VersionPaths, anyStatus: boolean, schemas: Schemas): FieldError[] {
  const {name, subresources, schema, additionalPrinterColumns, selectableFields} = version;
  const faults: FieldError[] = [];
  const wrongName = dns1035LabelFaults(name);
  if (wrongName.length > 0) faults.push(invalid(paths.version.child('name'), name, wrongName.join(',')));
  faults.push(...deprecationFaults(version, paths.version.child('deprecationWarning')));
  const root = schema?.openAPIV3Schema;
  if (!root) faults.push(required(paths.version.child('schema', 'openAPIV3Schema'), 'schemas are required'));
  else if (!paths.repeats.schema) {
    const hasStatus = paths.shares.schema ? anyStatus : subresources?.status !== undefined;
    faults.push(...versionSchemaFaults(root, hasStatus, paths.schema.child('openAPIV3Schema'), schemas));
  }
  if (!paths.repeats.subresources) faults.push(...subresourceFaults(subresources, root, paths.subresources));
  if (!paths.repeats.columns) additionalPrinterColumns?.forEach((column, position) => faults.push(...columnFaults(column, paths.columns.index(position))));
  faults.push(...selectableFieldFaults(selectableFields ?? [], root, paths.version.child('selectableFields')));
  return faults;
}

function deprecationFaults({deprecated, deprecationWarning}: DefinitionVersion, path: FieldPath): FieldError[] {
  if (deprecationWarning === undefined) return [];
  const faults: FieldError[] = [];
  const report = (detail: string) => faults.push(invalid(path, deprecationWarning, detail));
  if (!deprecated) report('can only be set for deprecated versions');
  if (deprecationWarning === '') report('must not be an empty string');
  if (Buffer.byteLength(deprecationWarning) > 256) report('must be <= 256 characters long');
  const hidden = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(deprecationWarning);
  if (hidden) report(`must only contain printable UTF-8 characters; non-printable character found at index ${hidden.index}`);
  return faults;
}
