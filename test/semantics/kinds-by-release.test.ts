import test from 'ava';
import {servedReleases} from '../../core/api/lifetimes/releases.js';
import {startTestServer, type TestClient} from '@orch-api/orch/testing';
import {tempFolder} from '../helpers/temp-folder.js';
import {answer} from './answers.js';

const devices = {v1: [34], v1beta2: [33], v1beta1: [32], v1alpha3: [31, 34]} as const;

/** A kind that came or went after 1.26: its plural, and of each version the first release and the one that has it no more. */
const kinds: readonly {
  readonly group: string;
  readonly plural: string;
  readonly versions: Readonly<Record<string, readonly [since: number, until?: number]>>;
}[] = [
  {group: 'storage.k8s.io', plural: 'volumeattributesclasses', versions: {v1: [34], v1beta1: [31], v1alpha1: [29, 35]}},
  {group: 'resource.k8s.io', plural: 'deviceclasses', versions: devices},
  {group: 'resource.k8s.io', plural: 'resourceslices', versions: {...devices, v1alpha2: [30, 31]}},
  ...['resourceclaimparameters', 'resourceclassparameters'].map((plural) => ({
    group: 'resource.k8s.io',
    plural,
    versions: {v1alpha2: [30, 31]} as const,
  })),
  ...['resourceclaims', 'resourceclaimtemplates'].map((plural) => ({
    group: 'resource.k8s.io',
    plural,
    versions: {...devices, v1alpha2: [27, 31], v1alpha1: [26, 27]} as const,
  })),
  {group: 'resource.k8s.io', plural: 'resourceclasses', versions: {v1alpha2: [27, 31], v1alpha1: [26, 27]}},
  {group: 'resource.k8s.io', plural: 'podschedulingcontexts', versions: {v1alpha3: [31, 32], v1alpha2: [27, 31]}},
  {group: 'resource.k8s.io', plural: 'devicetaintrules', versions: {v1beta2: [36], v1alpha3: [33]}},
  {group: 'resource.k8s.io', plural: 'resourcepoolstatusrequests', versions: {v1alpha3: [36]}},
];

async function resourcesOf(client: TestClient, group: string, version: string): Promise<readonly string[]> {
  const response = await client.get(`/apis/${group}/${version}`);
  return response.status === 200 ? response.json<{resources: {name: string}[]}>().resources.map(({name}) => name) : [];
}

for (const release of servedReleases) {
  test.serial(
    `a server of ${release} has those versions of later kinds that the release has: stable ones by default, all with api/all`,
    async (t) => {
      const minor = Number(release.split('.')[1]);
      for (const all of [false, true]) {
        await using server = await startTestServer({
          platform: 'kubernetes',
          release,
          ...(all ? {runtimeConfig: {'api/all': true}} : {}),
        });
        for (const {group, plural, versions} of kinds) {
          for (const [version, [since, until = Infinity]] of Object.entries(versions)) {
            const expected = since <= minor && minor < until && (all || version === 'v1');
            t.is(
              (await resourcesOf(server.client, group, version)).includes(plural),
              expected,
              `${plural}.${version}.${group}, all: ${all}`,
            );
          }
        }
      }
    },
  );
}

const classes = (version: string) => `/apis/storage.k8s.io/${version}/volumeattributesclasses`;
const attributes = {metadata: {name: 'fast'}, driverName: 'disk.example', parameters: {iops: '1000'}};

test.serial(
  'what was stored in a version that a later release took away is read in its other versions, and so is what a later release stored',
  async (t) => {
    const dataDir = tempFolder(t, 'orch-releases-');
    const at = (release: string, runtimeConfig = {}) =>
      startTestServer({platform: 'kubernetes', store: 'embedded', dataDir, release, runtimeConfig, allowOlderRelease: true});

    const first = await at('1.29', {'storage.k8s.io/v1alpha1': true});
    answer(t, await first.client.post(classes('v1alpha1'), attributes), 201);
    await first.stop();

    const second = await at('1.36');
    t.like(answer(t, await second.client.get(`${classes('v1')}/fast`), 200), {apiVersion: 'storage.k8s.io/v1', driverName: 'disk.example'});
    answer(t, await second.client.post(classes('v1'), {...attributes, metadata: {name: 'late'}}), 201);
    await second.stop();

    const third = await at('1.31', {'storage.k8s.io/v1beta1': true});
    const {items} = answer<{items: {metadata: {name: string}}[]}>(t, await third.client.get(classes('v1beta1')), 200);
    t.deepEqual(
      items.map(({metadata}) => metadata.name),
      ['fast', 'late'],
    );
    const late = answer<object>(t, await third.client.get(`${classes('v1beta1')}/late`), 200);
    t.like(late, {apiVersion: 'storage.k8s.io/v1beta1', parameters: {iops: '1000'}});
    answer(t, await third.client.put(`${classes('v1beta1')}/late`, {...late, metadata: {name: 'late', labels: {kept: 'yes'}}}), 200);
    await third.stop();
  },
);
