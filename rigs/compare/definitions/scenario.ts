import type {JsonObject} from '../../../sdk/index.js';

/** One request about a definition or its objects. */
export interface DefinitionRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** What it is about, for tables. */
  readonly about: string;
  readonly body?: JsonObject | readonly JsonObject[];
  /** The media type of the body; that of a merge patch for `PATCH`, otherwise JSON. */
  readonly type?: string;
  readonly accept?: string;
  /** Whether the request is sent again until the server has made the definitions before it effective; its answer is then that of the last time. */
  readonly settles?: Settling;
  /** Of an OpenAPI document only the paths and schemas of this group count. */
  readonly named?: string;
}

/** When a definition is effective: `served` when the answer is no 404, `marked` when none is about the member `marker`, or by a text that an answer has. */
export type Settling = 'served' | 'marked' | {readonly shows: string};

/** Requests of which each needs those before it. */
export interface Scenario {
  readonly name: string;
  readonly requests: readonly DefinitionRequest[];
}

export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const tableType = 'application/json;as=Table;v=v1;g=meta.k8s.io';
export const applyType = 'application/apply-patch+yaml';
export const jsonPatchType = 'application/json-patch+json';

export type Schema = JsonObject;

/** A namespaced definition of the kind `Thing` in a group of its own. */
export function definition(group: string, versions: readonly JsonObject[], spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `things.${group}`},
    spec: {group, scope: 'Namespaced', names: {plural: 'things', kind: 'Thing'}, versions: [...versions], ...spec},
  };
}

/** The stored and served version `v1`, with a schema for its root or parts of it. */
export function version(schema: Schema, more: JsonObject = {}): JsonObject {
  return {name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object', ...schema}}, ...more};
}

/** A version whose schema describes the members of `spec`. */
export function specVersion(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return version({properties: {marker: {type: 'integer'}, spec: {type: 'object', properties}}}, more);
}

export function things(group: string, name = '', query = ''): string {
  return `/apis/${group}/v1/namespaces/default/things${name === '' ? '' : `/${name}`}${query === '' ? '' : `?${query}`}`;
}

export function thing(group: string, name: string, members: JsonObject): JsonObject {
  return {apiVersion: `${group}/v1`, kind: 'Thing', metadata: {name}, ...members};
}

/** Creates a definition and waits until its objects can be written. */
export function setUp(group: string, created: JsonObject): DefinitionRequest[] {
  return [
    {method: 'POST', path: definitionsPath, body: created, about: `definition ${group}`},
    {method: 'GET', path: things(group), about: `objects of ${group}`, settles: 'served'},
  ];
}

/** The schema of `marker` before a change: it has none of the values by which a change is seen. */
export const unchanged: Schema = {type: 'integer', enum: [0]};

/** Changes the schema of a definition, and waits until it is effective: a value of `marker` that only the new one allows. The one before has to have the marker `unchanged`. */
export function changeVersions(group: string, marker: number, versions: readonly JsonObject[]): DefinitionRequest[] {
  return [
    {
      method: 'PATCH',
      path: `${definitionsPath}/things.${group}`,
      body: {spec: {versions: versions.map((one) => withMarker(one, marker))}},
      about: `change of definition ${group}`,
    },
    {
      method: 'POST',
      path: things(group, '', 'dryRun=All'),
      body: thing(group, 'marked', {marker}),
      about: `effective ${group}`,
      settles: 'marked',
    },
  ];
}

export function withMarker(one: JsonObject, marker: number): JsonObject {
  const copy = structuredClone(one);
  const root = (copy['schema'] as JsonObject)['openAPIV3Schema'] as JsonObject;
  root['properties'] = {...(root['properties'] as JsonObject | undefined), marker: {...unchanged, enum: [marker]}};
  return copy;
}
