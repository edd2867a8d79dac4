import type {ExecutionContext} from 'ava';
import {fileURLToPath} from 'node:url';
import type {ManagedFieldsEntry} from '@orch-api/orch/sdk';
import type {ServerOptions, TestClient, TestResponse} from '@orch-api/orch/testing';
import {answer} from './answers.js';
import {withFixtures, type ReadObject} from './fixtures.js';

export const applyPatch = 'application/apply-patch+yaml';
export const shelvesVersion = 'apply.example.com/v1';

/** The types of other semantic tests, and `Shelf`, which has every kind of list, map and structure. */
export const withShelves: ServerOptions = {
  ...withFixtures,
  plugins: [...withFixtures.plugins!, fileURLToPath(new URL('fixtures/apply', import.meta.url))],
};

/** An object with its owners. */
export interface OwnedObject extends ReadObject {
  readonly metadata: ReadObject['metadata'] & {readonly managedFields?: readonly ManagedFieldsEntry[]};
}

export function shelf(name: string, spec: object = {}, more: object = {}) {
  return {apiVersion: shelvesVersion, kind: 'Shelf', metadata: {name}, spec, ...more};
}

/** Applies as a manager; further parameters of the query behind it. */
export function apply(client: TestClient, item: string, manager: string, config: unknown, query = ''): Promise<TestResponse> {
  return client.patch(`${item}?fieldManager=${encodeURIComponent(manager)}${query}`, config, applyPatch);
}

/** Fields by owner, as they stand in `fieldsV1` but with paths written out; `NAME (update)` for updates, subresources and other versions behind it. */
export function ownersOf({metadata, apiVersion}: OwnedObject): Record<string, string[]> {
  return Object.fromEntries(
    (metadata.managedFields ?? []).map((entry) => {
      const parts = [
        entry.manager,
        entry.operation === 'Update' ? '(update)' : '',
        entry.subresource ?? '',
        entry.apiVersion === apiVersion ? '' : entry.apiVersion,
      ];
      return [parts.filter((part) => part !== '').join(' '), writtenOut(entry.fieldsV1!)];
    }),
  );
}

function writtenOut(fields: object, prefix = ''): string[] {
  return Object.entries(fields).flatMap(([element, below]: [string, object]) => {
    if (element === '.') return [prefix];
    const path = prefix + (element.startsWith('f:') ? `.${element.slice(2)}` : `[${element.slice(2)}]`);
    return Object.keys(below).length === 0 ? [path] : writtenOut(below, path);
  });
}

/** The object as it is stored, with its owners. */
export async function stored(t: ExecutionContext, client: TestClient, item: string): Promise<OwnedObject> {
  return answer<OwnedObject>(t, await client.get(item), 200);
}
