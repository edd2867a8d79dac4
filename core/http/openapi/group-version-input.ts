import type {Logger, NamingProfile} from '../../../sdk/index.js';
import type {GroupVersionInput, OpenApiResource} from '../../api/openapi/openapi-input.js';
import type {SchemaCatalog} from '../../api/object-schema/schema-catalog.js';
import type {GroupVersionEntry} from '../../api/types/group-entry.js';
import type {ResourceTypeVersion} from '../../api/types/resource-type.js';
import {allPatchMediaTypes} from '../../registry/write/patch.js';

/** What all OpenAPI documents of a server are made with. */
export interface OpenApiSettings {
  readonly schemas: SchemaCatalog;
  readonly naming: NamingProfile;
  readonly title: string;
  readonly serverVersion: string;
  /** Whether CBOR is served. */
  readonly hasCbor: boolean;
  readonly logger: Logger;
}

/** What the document of a served group version is made of. */
export function groupVersionInput(
  {group, version, types}: GroupVersionEntry,
  {schemas, naming, title, serverVersion, hasCbor}: OpenApiSettings,
): GroupVersionInput {
  return {
    group,
    version,
    title,
    serverVersion,
    catalog: schemas,
    naming,
    patchMediaTypes: allPatchMediaTypes(hasCbor),
    cbor: hasCbor,
    protobuf: true,
    resources: types.map(openApiResource),
  };
}

function namesOf({plural, kind, listKind, namespaced, verbs}: ResourceTypeVersion['type']) {
  return {plural, kind, listKind, namespaced, verbs};
}

function openApiResource(version: ResourceTypeVersion): OpenApiResource {
  const {type, schema, subresources, definition} = version;
  return {
    ...namesOf(type),
    schema,
    ...(definition.selectableFields && {selectableFields: definition.selectableFields}),
    subresources: Object.keys(subresources).map((name) => {
      const subresource = version.subresource(name)!;
      const verbs = subresource.definition.verbs ?? ['get', 'patch', 'update'];
      return subresource.hasOwnKind ? {name, verbs, kind: subresource.kind, schema: subresource.schema} : {name, verbs};
    }),
  };
}

/** A type without what its schema says: objects with any fields. */
export function opaqueResource(version: ResourceTypeVersion, {schemas}: OpenApiSettings): OpenApiResource {
  const {type, subresources} = version;
  const schema = schemas.fromInline({type: 'object', 'x-kubernetes-preserve-unknown-fields': true});
  return {
    ...namesOf(type),
    schema,
    subresources: Object.entries(subresources).map(([name, {verbs = ['get', 'patch', 'update']}]) => ({name, verbs})),
  };
}
