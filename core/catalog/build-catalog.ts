import {isAbsolute, join} from 'node:path';
import {
  apiVersionOf,
  type FeatureGates,
  type GroupVersionResource,
  type NamingProfile,
  type ResourceBehaviour,
  type ResourceDefinition,
  type ResourceStrategy,
  type VirtualResource,
} from '../../sdk/index.js';
import {oldestRelease} from '../api/lifetimes/releases.js';
import {versionsAtRelease} from '../api/lifetimes/version-at-release.js';
import type {JsonSchema} from '../api/schema/json-schema.js';
import {readSchemaFile, type SchemaCatalog} from '../api/object-schema/schema-catalog.js';
import {documentId} from '../api/schema/schema-document.js';
import {ResourceCatalog} from '../api/types/resource-catalog.js';
import {ResourceType, type ResourceTypeParts} from '../api/types/resource-type.js';
import {existsIn, versionStability} from '../api/lifetimes/version-stability.js';
import type {ContributedResource} from '../kernel/manifests/contributed-resources.js';
import {checkRuntimeConfig} from './check-runtime-config.js';
import {SchemaFileMarks} from './schema-file-marks.js';

export interface CatalogOptions {
  readonly resources: readonly ContributedResource[];
  readonly naming: NamingProfile;
  /** The release whose versions are served. */
  readonly release: string;
  /** Those of subresources. */
  readonly featureGates: FeatureGates;
  readonly schemas: SchemaCatalog;
  /** `--runtime-config`. */
  readonly runtimeConfig: ReadonlyMap<string, boolean>;
  /** Names of the admission controllers that run. */
  readonly admission: ReadonlySet<string>;
  /** The strategy that a plugin delivers under a class name. */
  readonly strategyOf: (plugin: string, className: string) => ResourceStrategy | undefined;
  /** The handler of virtual types and subresources that a plugin delivers under a class name. */
  readonly handlerOf: (plugin: string, className: string) => VirtualResource | undefined;
}

/** `scale` subresources need its schema whether or not the autoscaling group is served. */
const scaleDocument = documentId('autoscaling', 'v1');
const scaleFile = new URL('../../sdk/schemas/autoscaling.v1.json', import.meta.url);

/**
 * Builds the catalogue of the types that plugins contribute. Schema files are registered, not read.
 *
 * @throws Error for settings of `--runtime-config` about unknown versions or resources
 */
export function buildCatalog(options: CatalogOptions): ResourceCatalog {
  const {naming, release, featureGates, strategyOf, handlerOf} = options;
  checkRuntimeConfig(
    options.runtimeConfig,
    options.resources.map(({definition}) => definition),
    naming,
  );
  const files = new Map<string, string>();
  const marks = new SchemaFileMarks(release);
  const types = options.resources.flatMap(({plugin, folder, definition: declared}) => {
    const present = new Set(declared.versions.filter(({lifetime}) => existsIn(release, lifetime)).map(({name}) => name));
    if (present.size === 0) return [];
    const isGateOff = ({featureGate}: {featureGate?: string}) => featureGate !== undefined && !featureGates.enabled(featureGate);
    const gatedOff = new Set(declared.versions.filter(isGateOff).map(({name}) => name));
    const definition = {
      ...declared,
      behaviour: behaviourAtRelease(declared, options),
      versions: versionsAtRelease(declared, naming, release, featureGates),
    };
    const {strategy} = definition;
    return new ResourceType(definition, {
      naming,
      plugin,
      resolveSchema: schemaResolver(options.schemas, files, folder, definition),
      markSchema: (version) => marks.of(version, folder),
      strategy: strategy === undefined ? undefined : () => strategyOf(plugin, strategy),
      handlerOf: (className) => handlerOf(plugin, className),
      isServed: (resource, byDefault) =>
        present.has(resource.version) && !gatedOff.has(resource.version) && isServed(options.runtimeConfig, resource, byDefault),
    });
  });
  if (!options.schemas.has(scaleDocument)) options.schemas.add(scaleDocument, () => readSchemaFile(scaleFile));
  const catalog = new ResourceCatalog();
  catalog.setAll(types);
  return catalog;
}

function behaviourAtRelease(declared: ResourceDefinition, {release, admission, featureGates}: CatalogOptions): ResourceBehaviour {
  const {behaviour = {}} = declared;
  const {generationIntroduced: introduced = oldestRelease, nameFormatWith} = behaviour;
  return {
    ...behaviour,
    ...(nameFormatWith && featureGates.enabled(nameFormatWith.featureGate) ? {nameFormat: nameFormatWith.nameFormat} : {}),
    ...(isEnforced(declared, admission) ? {withoutEffect: undefined} : {}),
    ...(existsIn(release, {introduced}) ? {} : {generation: 'none'}),
  };
}

/** Whether an admission controller runs that gives objects the effect which they would lack. */
function isEnforced({behaviour}: ResourceDefinition, admission: ReadonlySet<string>): boolean {
  const enforcer = behaviour?.withoutEffect?.unlessAdmission;
  return enforcer !== undefined && admission.has(enforcer);
}

/** References in schema files name documents by group version, so a plugin's file gets that id unless another one has it. */
function schemaResolver(
  schemas: SchemaCatalog,
  files: Map<string, string>,
  folder: string,
  definition: ResourceDefinition,
): ResourceTypeParts['resolveSchema'] {
  const fileId = (file: string, version: string) => {
    const path = isAbsolute(file) ? file : join(folder, file);
    let id = documentId(definition.group, version);
    if ((files.get(id) ?? path) !== path) id = path;
    if (!files.has(id)) {
      files.set(id, path);
      schemas.add(id, () => readSchemaFile(path, {group: definition.group, version}));
    }
    return id;
  };
  for (const {schema, name} of definition.versions) if (typeof schema === 'string') fileId(splitReference(schema)[0], name);
  return (schema, version) => {
    if (typeof schema !== 'string') return schemas.fromInline(schema as JsonSchema);
    const [document, fragment] = splitReference(schema);
    return schemas.schema(`${document.endsWith('.json') ? fileId(document, version.name) : document}#${fragment}`);
  };
}

function splitReference(reference: string): [file: string, fragment: string] {
  const mark = reference.indexOf('#');
  return [reference.slice(0, mark), reference.slice(mark + 1)];
}

/** Whether a version without resources of its own is on: not by default. @param group as clients see it */
export function isVersionEnabled(runtimeConfig: ReadonlyMap<string, boolean>, group: string, version: string): boolean {
  return isServed(runtimeConfig, {group, version, resource: ''}, false);
}

/** The most specific key decides: the resource, then the group version, then its stability level, then `api/all` (Kubernetes' `--runtime-config`). */
function isServed(runtimeConfig: ReadonlyMap<string, boolean>, resource: GroupVersionResource, byDefault: boolean): boolean {
  const groupVersion = resource.group === '' ? `api/${resource.version}` : apiVersionOf(resource);
  const stage = `api/${versionStability(resource.version)}`;
  const keys = [
    `${groupVersion}/${resource.resource}`,
    groupVersion,
    ...(resource.group === '' ? [resource.version] : []),
    stage,
    'api/all',
  ];
  for (const key of keys) {
    const setting = runtimeConfig.get(key);
    if (setting !== undefined) return setting;
  }
  return byDefault;
}
