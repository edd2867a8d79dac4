import test from 'ava';
import {types, type ObjectOf, type ResourceApi, type ResourceHandle, type SubresourcesOf} from '@orch-api/orch/client';
import {startTestServer} from '@orch-api/orch/testing';
import type {ConfigMap} from '@orch-api/orch/types/core/v1';
import type {Scale} from '@orch-api/orch/types/autoscaling/v1';

interface ResourceEntry {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

const all: ResourceHandle[] = Object.values(types).flatMap((versions) =>
  Object.values(versions).flatMap((kinds) => Object.values(kinds) as ResourceHandle[]),
);

test('every type in the table is served as it says, by some release', async (t) => {
  const missing = new Set(all);
  for (const release of ['1.26', '1.30', '1.31', '1.34', '1.35', '1.36']) {
    await using server = await startTestServer({
      platform: 'kubernetes',
      release,
      runtimeConfig: {'api/all': true},
      featureGates: {AllAlpha: true, AllBeta: true},
    });
    for (const type of all) {
      const path = type.group === '' ? `/api/${type.version}` : `/apis/${type.group.replace(/\.orch$/, '.k8s.io')}/${type.version}`;
      const answer = await server.client.get(path);
      if (answer.status === 404) continue;
      const entry = answer.json<{resources: ResourceEntry[]}>().resources.find(({name}) => name === type.resource);
      if (!entry) continue;
      t.like(entry, {kind: type.kind, namespaced: type.namespaced}, `${release} ${path} ${type.resource}`);
      missing.delete(type);
    }
  }
  t.true(all.length >= 90, `${all.length} types`);
  t.deepEqual(
    [...missing].map(({group, version, resource}) => `${group}/${version} ${resource}`),
    [],
  );
});

test('types say what their objects are: the compiler refuses what does not fit', (t) => {
  const program = (maps: ResourceApi<ConfigMap>, deployments: ResourceApi<ObjectOf<typeof types.apps.v1.Deployment>>) => async () => {
    const map = await maps.get('one');
    map.data = {key: 'value'};
    const value: string | undefined = map.data.key;
    // @ts-expect-error a config map has no replicas
    void map.spec;
    // @ts-expect-error data are texts
    await maps.create({metadata: {name: 'one'}, data: {key: 1}});
    // @ts-expect-error metadata is required
    await maps.create({data: {}});
    await maps.patch('one', 'merge', {data: {key: null}});
    // @ts-expect-error a merge patch has the members of the type
    await maps.patch('one', 'merge', {dta: {}});
    // @ts-expect-error a JSON patch is a list
    await maps.patch('one', 'json', {data: {}});
    const deployment = await deployments.get('one');
    const replicas: number | undefined = deployment.spec?.replicas;
    // @ts-expect-error the strategies are known
    deployment.spec!.strategy = {type: 'Sometimes'};
    return [value, replicas];
  };
  t.is(typeof program, 'function');
  const subresources: SubresourcesOf<typeof types.apps.v1.Deployment> = {scale: {} satisfies Scale, status: {metadata: {}}};
  t.truthy(subresources);
});
