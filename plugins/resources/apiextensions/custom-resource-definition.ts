import type {ApiObject, ResourceRef} from '../../../sdk/index.js';
import type {SchemaProps} from './schema-props.js';

/** A CustomResourceDefinition after decoding and defaulting: members of the wrong type cannot occur, absent lists are null. */
export interface CustomResourceDefinition extends ApiObject {
  spec: DefinitionSpec;
  status?: DefinitionStatus;
}

export interface DefinitionSpec {
  group: string;
  names: DefinitionNames;
  scope: string;
  versions: DefinitionVersion[] | null;
  conversion?: Conversion;
  preserveUnknownFields?: boolean;
}

export interface DefinitionNames {
  plural: string;
  singular?: string;
  shortNames?: string[];
  kind: string;
  listKind?: string;
  categories?: string[];
}

export interface DefinitionVersion {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: {openAPIV3Schema?: SchemaProps};
  subresources?: Subresources;
  additionalPrinterColumns?: PrinterColumnDefinition[];
  selectableFields?: {jsonPath: string}[];
}

export interface Subresources {
  status?: object;
  scale?: ScaleSubresource;
}

export interface ScaleSubresource {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
}

export interface PrinterColumnDefinition {
  name: string;
  type: string;
  format?: string;
  description?: string;
  priority?: number;
  jsonPath: string;
}

export interface Conversion {
  strategy: string;
  webhook?: {clientConfig?: WebhookClientConfig; conversionReviewVersions: string[] | null};
}

export interface WebhookClientConfig {
  url?: string;
  service?: {namespace: string; name: string; path?: string; port?: number};
  caBundle?: string;
}

export interface DefinitionStatus {
  conditions?: DefinitionCondition[] | null;
  acceptedNames?: DefinitionNames;
  storedVersions?: string[] | null;
}

export interface DefinitionCondition {
  type: string;
  status: string;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}

/** What a condition says, without its time. */
export type Finding = Pick<DefinitionCondition, 'type' | 'status'> & {readonly reason: string; readonly message: string};

/** Where definitions are served. */
export const definitions: ResourceRef = {group: 'apiextensions.orch', version: 'v1', resource: 'customresourcedefinitions'};

/** The finalizer that holds a definition until its objects are gone, in the neutral form of a group. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.orch';

export function versionsOf({spec}: Pick<CustomResourceDefinition, 'spec'>): readonly DefinitionVersion[] {
  return spec.versions ?? [];
}

/** The name of the version in which objects are stored; undefined while none is marked. */
export function storageVersionOf(definition: Pick<CustomResourceDefinition, 'spec'>): string | undefined {
  return versionsOf(definition).find(({storage}) => storage)?.name;
}

export function conditionOf(definition: CustomResourceDefinition, type: string): DefinitionCondition | undefined {
  return definition.status?.conditions?.find((condition) => condition.type === type);
}

export function isConditionTrue(definition: CustomResourceDefinition, type: string): boolean {
  return conditionOf(definition, type)?.status === 'True';
}
