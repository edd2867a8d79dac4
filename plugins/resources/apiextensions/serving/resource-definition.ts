import type {
  PrinterColumn,
  ResourceDefinition,
  ResourceVerb,
  ResourceVersionDefinition,
  SubresourceDefinition,
} from '../../../../sdk/index.js';
import {
  storageVersionOf,
  versionsOf,
  type CustomResourceDefinition,
  type DefinitionNames,
  type DefinitionVersion,
  type PrinterColumnDefinition,
} from '../custom-resource-definition.js';
import {PackedSchema} from './packed-schema.js';
import {withoutRules} from './without-rules.js';

/** Input for turning a CustomResourceDefinition into a type. */
export interface ServingOptions {
  /** The accepted names, which may differ from the requested ones. */
  readonly names: DefinitionNames;
  /** Whether validation rules are enforced. */
  readonly rules: boolean;
  /** Whether a JSON path is valid for a column. */
  readonly isColumnPath: (jsonPath: string) => boolean;
}

const verbs: readonly ResourceVerb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** The resource type that a definition describes, in the form in which any plugin contributes types. */
export function resourceDefinition(definition: CustomResourceDefinition, options: ServingOptions): ResourceDefinition {
  const {spec, metadata} = definition;
  const {names} = options;
  const isTerminating = Boolean(metadata.deletionTimestamp);
  const storage = storageVersionOf(definition);
  const versions = versionsOf(definition);
  // Objects of a type without served versions can be found and deleted only through its storage version.
  const serveStorage = isTerminating && !versions.some(({served}) => served);
  return {
    group: spec.group,
    names: {
      plural: names.plural,
      kind: names.kind,
      ...(names.singular ? {singular: names.singular} : {}),
      ...(names.listKind ? {listKind: names.listKind} : {}),
      shortNames: names.shortNames ?? [],
      categories: names.categories ?? [],
    },
    scope: spec.scope === 'Cluster' ? 'Cluster' : 'Namespaced',
    verbs: isTerminating ? verbs.filter((verb) => verb !== 'create') : verbs,
    behaviour: {
      nameFormat: 'dns-subdomain',
      createOnUpdate: false,
      unconditionalUpdate: false,
      defaultDelete: 'Background',
      generation: 'spec',
    },
    versions: versions.map((version) => versionDefinition(version, version.served || (serveStorage && version.name === storage), options)),
  };
}

function versionDefinition(version: DefinitionVersion, served: boolean, {rules, isColumnPath}: ServingOptions): ResourceVersionDefinition {
  const {name, storage, deprecated, deprecationWarning, additionalPrinterColumns, selectableFields} = version;
  const schema = version.schema?.openAPIV3Schema ?? {type: 'object', 'x-kubernetes-preserve-unknown-fields': true};
  const packed = new PackedSchema(rules ? schema : withoutRules(schema));
  const columns = additionalPrinterColumns?.filter(({jsonPath}) => isColumnPath(jsonPath)).map(printerColumn);
  return {
    name,
    served,
    storage,
    ...(deprecated ? {deprecated} : {}),
    ...(deprecationWarning === undefined ? {} : {deprecationWarning}),
    get schema() {
      return packed.unpack();
    },
    subresources: subresourceDefinitions(version),
    ...(columns?.length ? {printerColumns: columns} : {}),
    ...(selectableFields?.length ? {selectableFields: selectableFields.map(({jsonPath}) => jsonPath.slice(1))} : {}),
  };
}

function subresourceDefinitions({subresources}: DefinitionVersion): Record<string, SubresourceDefinition> {
  const {status, scale} = subresources ?? {};
  return {
    ...(status ? {status: {}} : {}),
    ...(scale
      ? {
          scale: {
            specReplicasPath: scale.specReplicasPath,
            statusReplicasPath: scale.statusReplicasPath,
            ...(scale.labelSelectorPath ? {labelSelectorPath: scale.labelSelectorPath} : {}),
          },
        }
      : {}),
  };
}

function printerColumn({name, type, format, description, priority, jsonPath}: PrinterColumnDefinition): PrinterColumn {
  return {
    name,
    type: type as PrinterColumn['type'],
    jsonPath,
    ...(format ? {format} : {}),
    description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    ...(priority ? {priority} : {}),
  };
}
