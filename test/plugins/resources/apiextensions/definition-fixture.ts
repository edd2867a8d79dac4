import type {ApiObject, Status} from '@orch-api/orch/sdk';
import {until} from '../../../helpers/eventually.js';
import type {TestClient, TestResponse} from '@orch-api/orch/testing';

/** Where definitions are served. */
export const definitionsPath = '/apis/apiextensions.orch/v1/customresourcedefinitions';

export type Json = Record<string, unknown>;

let count = 0;

/** An API group that no other test uses. */
export function freshGroup(): string {
  count += 1;
  return `g${count}.example.com`;
}

/** A version of a definition with a schema for `spec`. */
export function version(spec: Json = {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}, more: Json = {}): Json {
  return {
    name: 'v1',
    served: true,
    storage: true,
    schema: {openAPIV3Schema: {type: 'object', properties: {spec, status: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}}}},
    ...more,
  };
}

/** A definition of namespaced `Widget`s. */
export function definition(group: string, versions: readonly Json[] = [version()], more: Json = {}): Json {
  return {
    apiVersion: 'apiextensions.orch/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `widgets.${group}`},
    spec: {group, scope: 'Namespaced', names: {plural: 'widgets', kind: 'Widget'}, versions, ...more},
  };
}

/** An object of such a definition, to be sent. */
export function widgetOf(group: string, name = 'w', more: Json = {}): Json {
  return {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name}, ...more};
}

/** A definition with one version whose `spec` has the given schema. */
export function withSpec(group: string, spec: Json): Json {
  return definition(group, [version(spec)]);
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
}

export interface StoredDefinition extends ApiObject {
  readonly spec: {readonly names: Json; readonly versions: Json[]} & Json;
  readonly status: {readonly conditions: readonly Condition[]; readonly acceptedNames: Json; readonly storedVersions: readonly string[]};
}

export async function readDefinition(client: TestClient, name: string): Promise<StoredDefinition> {
  const response = await client.get(`${definitionsPath}/${name}`);
  if (response.status !== 200) throw new Error(`${response.status} ${response.body.toString()}`);
  return response.json<StoredDefinition>();
}

export function condition(stored: StoredDefinition, type: string): Condition | undefined {
  return stored.status.conditions?.find((entry) => entry.type === type);
}

/** Waits for a condition of a definition to have a status. */
export function awaitCondition(client: TestClient, name: string, type: string, status: string): Promise<StoredDefinition> {
  return until(`${type}=${status} of ${name}`, async () => {
    const stored = await readDefinition(client, name);
    return condition(stored, type)?.status === status && stored;
  });
}

/** Creates a definition and waits until its type is served. */
export async function establish(client: TestClient, body: Json): Promise<StoredDefinition> {
  const response = await client.post(definitionsPath, body);
  if (response.status !== 201) throw new Error(`${response.status} ${response.body.toString()}`);
  return awaitCondition(client, (body['metadata'] as {name: string}).name, 'Established', 'True');
}

/** Changes a definition and waits until `isServed` sees the change in effect. */
export async function change(client: TestClient, name: string, patch: Json, isServed: () => Promise<boolean>): Promise<void> {
  const response = await client.patch(`${definitionsPath}/${name}`, patch);
  if (response.status !== 200) throw new Error(`${response.status} ${response.body.toString()}`);
  await until(`the change of ${name}`, isServed);
}

/** The faults that a 422 lists, as `PATH: BODY`; for another answer its code and message. */
export function faultsOf(response: TestResponse): string[] {
  if (response.status < 300) return [];
  const {details, message = ''} = response.json<Status>();
  if (response.status !== 422) return [`${response.status} ${message}`];
  return (details?.causes ?? []).map((cause) => `${cause.field}: ${cause.message}`);
}
