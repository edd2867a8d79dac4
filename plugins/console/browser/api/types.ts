/** A resource type as discovery has it. */
export interface ResourceType {
  readonly group: string;
  readonly version: string;
  /** `pods`. */
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly subresources: readonly string[];
}

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly generation?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly ManagedFields[];
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}

export interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly time?: string;
  readonly fieldsV1?: FieldSet;
}

export interface FieldSet {
  readonly [key: string]: FieldSet;
}

/** Any object. */
export interface ApiObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly [member: string]: unknown;
}

/** A text as one segment of a path and nothing more. Browsers take dots alone for a way up: behind a space they are the name of nothing. */
export function pathSegment(text: string): string {
  return encodeURIComponent(/^\.{1,2}$/.test(text) ? ` ${text}` : text);
}

/** A field selector for one value, in which some characters would be parts of the selector. */
export function fieldEquals(field: string, value: string): string {
  return `${field}=${value.replaceAll(/[\\,=]/g, String.raw`\$&`)}`;
}

/** `/apis/apps/v1`, `/api/v1`. */
export function versionPath({group, version}: Pick<ResourceType, 'group' | 'version'>): string {
  return group === '' ? `/api/${pathSegment(version)}` : `/apis/${pathSegment(group)}/${pathSegment(version)}`;
}

/** `apps/v1`, `v1`. */
export function apiVersionOf({group, version}: Pick<ResourceType, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The path of a type's objects. An empty namespace stands for all of them. */
export function collectionPath(type: ResourceType, namespace: string): string {
  const place = type.namespaced && namespace !== '' ? `/namespaces/${pathSegment(namespace)}` : '';
  return `${versionPath(type)}${place}/${pathSegment(type.resource)}`;
}

export function objectPath(type: ResourceType, {namespace = '', name}: {readonly namespace?: string; readonly name: string}): string {
  return `${collectionPath(type, namespace)}/${pathSegment(name)}`;
}
