import type {GroupVersionKind, NamingProfile} from '../../../sdk/index.js';
import type {ObjectSchema} from '../schema/object-schema.js';
import type {SchemaCatalog} from '../schema/schema-catalog.js';

/** What an OpenAPI document of one group version is made of. Groups are spelled as clients see them. */
export interface GroupVersionInput {
  readonly group: string;
  readonly version: string;
  /** Shown as the document's title and version. */
  readonly title: string;
  readonly serverVersion: string;
  readonly resources: readonly OpenApiResource[];
  readonly catalog: SchemaCatalog;
  readonly naming: Pick<NamingProfile, 'group' | 'key' | 'groupSuffix' | 'protobufMediaType'>;
  /** Media types that a PATCH may have. Strategic merge patch is left out for structural schemas by itself. */
  readonly patchMediaTypes: readonly string[];
  /** Whether bodies of built-in types may be in the binary form. */
  readonly protobuf: boolean;
}

export interface OpenApiResource {
  readonly plural: string;
  readonly kind: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly schema: ObjectSchema;
  readonly subresources: readonly OpenApiSubresource[];
}

export interface OpenApiSubresource {
  readonly name: string;
  readonly verbs: readonly string[];
  /** The kind of the bodies; the resource's own when left out. */
  readonly kind?: GroupVersionKind;
  /** The schema of the bodies; the resource's own when left out together with `kind`, any object when left out beside it. */
  readonly schema?: ObjectSchema;
}

/** A JSON object of an OpenAPI document. */
export interface OpenApiNode {
  [member: string]: unknown;
}
