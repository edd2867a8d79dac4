import type {ApiObject, ListMeta, ObjectMeta} from '../../../sdk/index.js';

/** An object's metadata without the rest of the object. */
export interface PartialObjectMetadata {
  readonly kind: 'PartialObjectMetadata';
  readonly apiVersion: string;
  readonly metadata: ObjectMeta;
}

export interface PartialObjectMetadataList {
  readonly kind: 'PartialObjectMetadataList';
  readonly apiVersion: string;
  readonly metadata: ListMeta;
  readonly items: readonly PartialObjectMetadata[];
}

/** @param apiVersion of the metadata group, as requested by the client: `meta.orch/v1` in the neutral form */
export function partialObjectMetadata(object: Pick<ApiObject, 'metadata'>, apiVersion: string): PartialObjectMetadata {
  return {kind: 'PartialObjectMetadata', apiVersion, metadata: object.metadata};
}

/** The metadata of the objects of a list. */
export function partialObjectMetadataList(
  objects: readonly Pick<ApiObject, 'metadata'>[],
  metadata: ListMeta,
  apiVersion: string,
): PartialObjectMetadataList {
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion,
    metadata,
    items: objects.map((object) => partialObjectMetadata(object, apiVersion)),
  };
}
