import type {GroupVersionKind, NamingProfile} from '../../../sdk/index.js';
import type {ObjectSchema} from '../object-schema/object-schema.js';
import type {SchemaCatalog} from '../object-schema/schema-catalog.js';

/** The input for the OpenAPI document of one group version. Groups are spelled as clients see them. */
export interface GroupVersionInput {
  readonly group: string;
  readonly version: string;
  /** The document's title and version. */
  readonly title: string;
  readonly serverVersion: string;
  readonly resources: readonly OpenApiResource[];
  readonly catalog: SchemaCatalog;
  readonly naming: Pick<NamingProfile, 'group' | 'key' | 'groupSuffix' | 'protobufMediaType'>;
  /** Media types of a PATCH. Strategic merge patch is left out automatically for structural schemas. */
  readonly patchMediaTypes: readonly string[];
  /** Whether bodies of built-in types may use the binary form. */
  readonly protobuf: boolean;
  /** Whether bodies of built-in types may be CBOR. */
  readonly cbor?: boolean;
}

export interface OpenApiResource {
  readonly plural: string;
  readonly kind: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly schema: ObjectSchema;
  /** Paths of the fields by which selectors may choose objects, besides name and namespace. */
  readonly selectableFields?: readonly string[];
  readonly subresources: readonly OpenApiSubresource[];
}

export interface OpenApiSubresource {
  readonly name: string;
  readonly verbs: readonly string[];
  /** The kind of the bodies; by default the resource's own. */
  readonly kind?: GroupVersionKind;
  /** The schema of the bodies. By default the resource's own; if only `kind` is given, any object. */
  readonly schema?: ObjectSchema;
}

/** A JSON object of an OpenAPI document. */
export interface OpenApiNode {
  [member: string]: unknown;
}
