import test from 'ava';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {compareReleases} from '../../core/api/lifetimes/releases.js';
import {startTestServer, type TestClient} from '@orch-api/orch/testing';
import {projectRoot} from '../helpers/project-root.js';

/** What discovery says of a resource, or a subresource. Group and version only where they are not those of the list. */
interface Resource {
  readonly kind: string;
  readonly namespaced: boolean;
  readonly singularName?: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly group?: string;
  readonly version?: string;
}

/** By `GROUP/VERSION RESOURCE`: each state with the first release that has it. */
type Published = Readonly<Record<string, readonly (readonly [since: string, resource: Resource | null])[]>>;

const published = JSON.parse(readFileSync(join(projectRoot(), 'scripts/schemas/releases/discovery.json'), 'utf8')) as Published;

function expectedAt(release: string): Map<string, Resource> {
  const found = new Map<string, Resource>();
  for (const [name, states] of Object.entries(published)) {
    const state = states.findLast(([since]) => compareReleases(since, release) <= 0)?.[1];
    if (state) found.set(name, state);
  }
  return found;
}

async function servedBy(client: TestClient): Promise<Map<string, Resource>> {
  const {groups} = (await client.get('/apis')).json<{groups: {versions: {groupVersion: string}[]}[]}>();
  const found = new Map<string, Resource>();
  for (const groupVersion of ['v1', ...groups.flatMap(({versions}) => versions.map((version) => version.groupVersion))]) {
    const path = groupVersion.includes('/') ? `/apis/${groupVersion}` : `/api/${groupVersion}`;
    for (const {name, ...resource} of (await client.get(path)).json<{
      resources: (Resource & {name: string; storageVersionHash?: string})[];
    }>().resources) {
      const {storageVersionHash: _hash, singularName, ...rest} = resource;
      found.set(`${groupVersion} ${name}`, {...rest, ...(singularName ? {singularName} : {})});
    }
  }
  return found;
}

for (const release of ['1.31', '1.32', '1.33', '1.34', '1.35', '1.36']) {
  test.serial(
    `discovery of ${release} has each resource that Kubernetes ${release} has, with all versions and gates on, and no other`,
    async (t) => {
      await using server = await startTestServer({
        platform: 'kubernetes',
        release,
        runtimeConfig: {'api/all': true},
        featureGates: {AllAlpha: true, AllBeta: true},
      });
      const [expected, served] = [expectedAt(release), await servedBy(server.client)];
      const differences: string[] = [];
      for (const name of new Set([...expected.keys(), ...served.keys()])) {
        const [theirs, ours] = [expected.get(name), served.get(name)].map((one) => (one === undefined ? 'not there' : text(one)));
        if (theirs !== ours) differences.push(`${name}: ${theirs}, and here ${ours}`);
      }
      t.deepEqual(differences, []);
    },
  );
}

function text(resource: Resource): string {
  const sorted = Object.entries(resource).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(Object.fromEntries(sorted.map(([key, value]) => [key, key === 'verbs' ? [...(value as string[])].sort() : value])));
}
