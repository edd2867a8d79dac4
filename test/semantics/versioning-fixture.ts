import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {ResourceVersionDefinition} from '@orch-api/orch/sdk';
import type {TestClient} from '@orch-api/orch/testing';
import {tempFolder, type Teardown} from '../helpers/temp-folder.js';

export type PlanetVersion = Omit<ResourceVersionDefinition, 'schema'>;

/** Group of the type that `planetsPlugin` brings. */
export const planetsGroup = 'planets.example.com';

const schema = {type: 'object', properties: {spec: {type: 'object', properties: {moons: {type: 'integer'}}}}};

/** Writes a plugin with one cluster-scoped type, Planet, in the versions given, and answers its folder. */
export function planetsPlugin(t: Teardown, versions: readonly PlanetVersion[]): string {
  const folder = tempFolder(t, 'orch-planets-');
  const resource = {
    group: planetsGroup,
    names: {plural: 'planets', kind: 'Planet'},
    scope: 'Cluster',
    versions: versions.map((version) => ({...version, schema})),
  };
  writeFileSync(
    join(folder, 'plugin.json'),
    JSON.stringify({name: 'planets', version: '1.0.0', kernel: '^0.1.0', contributes: {resources: [resource]}}),
  );
  return folder;
}

/** Path of a collection of planets or, with a name, of one. */
export function planets(version: string, name?: string): string {
  return `/apis/${planetsGroup}/${version}/planets${name === undefined ? '' : `/${name}`}`;
}

interface Group {
  readonly name: string;
  readonly versions: readonly {readonly groupVersion: string}[];
}

/** All group versions of named groups that the index of groups lists. */
export async function groupVersions(client: TestClient): Promise<string[]> {
  const {groups} = (await client.get('/apis')).json<{groups: Group[]}>();
  return groups.flatMap(({versions}) => versions.map(({groupVersion}) => groupVersion));
}

export interface ListedResource {
  readonly name: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** The resources that discovery lists for a group version; empty when it is not served. */
export async function resourcesOf(client: TestClient, root: string): Promise<readonly ListedResource[]> {
  const response = await client.get(root);
  return response.status === 200 ? response.json<{resources: ListedResource[]}>().resources : [];
}
