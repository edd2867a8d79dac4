import type {ApiObject, ResourceRef} from '../../../sdk/index.js';
import type * as apiextensions from '../../../sdk/types/apiextensions/v1.js';
import type {SchemaProps} from './schema-props.js';

/** A CustomResourceDefinition after decoding and defaulting: all members have the right type, absent lists are null. */
export interface CustomResourceDefinition extends ApiObject {
  spec: DefinitionSpec;
  status?: DefinitionStatus;
}

export type DefinitionSpec = Omit<apiextensions.CustomResourceDefinitionSpec, 'versions' | 'conversion'> & {
  versions: DefinitionVersion[] | null;
  conversion?: Conversion;
};
export type DefinitionNames = apiextensions.CustomResourceDefinitionNames;
export type DefinitionVersion = Omit<apiextensions.CustomResourceDefinitionVersion, 'schema'> & {schema?: {openAPIV3Schema?: SchemaProps}};
export type Subresources = apiextensions.CustomResourceSubresources;
export type ScaleSubresource = apiextensions.CustomResourceSubresourceScale;
export type SelectableField = apiextensions.SelectableField;
export type PrinterColumnDefinition = apiextensions.CustomResourceColumnDefinition;
export type Conversion = Omit<apiextensions.CustomResourceConversion, 'webhook'> & {
  webhook?: Omit<apiextensions.WebhookConversion, 'conversionReviewVersions'> & {conversionReviewVersions: string[] | null};
};
export type WebhookClientConfig = apiextensions.WebhookClientConfig;
export type DefinitionStatus = Partial<apiextensions.CustomResourceDefinitionStatus>;
export type DefinitionCondition = apiextensions.CustomResourceDefinitionCondition;

/** A condition without its time. */
export type Finding = Pick<DefinitionCondition, 'type' | 'status'> & {readonly reason: string; readonly message: string};

export const definitions: ResourceRef = {group: 'apiextensions.orch', version: 'v1', resource: 'customresourcedefinitions'};

/** The finalizer that keeps a definition until its objects are gone, with the group in the neutral form. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.orch';

export function versionsOf({spec}: Pick<CustomResourceDefinition, 'spec'>): readonly DefinitionVersion[] {
  return spec.versions ?? [];
}

/** The name of the version in which objects are stored; undefined if none is marked. */
export function storageVersionOf(definition: Pick<CustomResourceDefinition, 'spec'>): string | undefined {
  return versionsOf(definition).find(({storage}) => storage)?.name;
}

export function conditionOf(definition: CustomResourceDefinition, type: string): DefinitionCondition | undefined {
  return definition.status?.conditions?.find((condition) => condition.type === type);
}

export function isConditionTrue(definition: CustomResourceDefinition, type: string): boolean {
  return conditionOf(definition, type)?.status === 'True';
}
