import type {TestClient} from '@orch-api/orch/testing';
import {definition, establish, freshGroup, version} from '../plugins/resources/apiextensions/definition-fixture.js';
import {testOnEachStore} from '../helpers/each-store.js';
import {answer, assertFailure} from './answers.js';
import {configMap, reservationsVersion, withFixtures, type ReadObject} from './fixtures.js';

const eachStore = testOnEachStore(withFixtures);
const json = 'application/json-patch+json';
const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';
const undeterminable = /the name of the object \(one based on URL\) was undeterminable: name must be provided/;

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {name: 'one', labels: {tier: 'front'}},
  spec: {containers: [{name: 'main', image: 'example.com/main:1'}]},
};
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {name: 'one', labels: {tier: 'front'}},
  spec: {
    replicas: 2,
    selector: {matchLabels: {app: 'one'}},
    template: {metadata: {labels: {app: 'one'}}, spec: {containers: [{name: 'main', image: 'example.com/main:1'}]}},
  },
};

interface Target {
  /** Path of the object or of one of its subresources. */
  readonly item: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly typed: boolean;
}

/** One object of a built-in type, of a plugin's and of a definition, each with its subresources. */
async function targets(client: TestClient, path: (resource: string, groupVersion?: string) => string): Promise<Target[]> {
  const group = freshGroup();
  const widgets = `${group}/v1`;
  await establish(client, definition(group, [version(undefined, {subresources: {status: {}}})]));
  const deployments = path('deployments', 'apps/v1');
  await client.post(path('configmaps'), configMap('one', {a: '1'}, {labels: {tier: 'front'}}));
  await client.post(path('pods'), pod);
  await client.post(deployments, deployment);
  await client.post(path('reservations', reservationsVersion), {
    metadata: {name: 'one', labels: {tier: 'front'}},
    spec: {room: 'a', from: '2026-01-01T10:00:00Z'},
  });
  await client.post(path('widgets', widgets), {apiVersion: widgets, kind: 'Widget', metadata: {name: 'one'}, spec: {a: 1}});
  return [
    {item: `${path('configmaps')}/one`, kind: 'ConfigMap', apiVersion: 'v1', typed: true},
    {item: `${path('pods')}/one`, kind: 'Pod', apiVersion: 'v1', typed: true},
    {item: `${path('pods')}/one/status`, kind: 'Pod', apiVersion: 'v1', typed: true},
    {item: `${deployments}/one`, kind: 'Deployment', apiVersion: 'apps/v1', typed: true},
    {item: `${deployments}/one/status`, kind: 'Deployment', apiVersion: 'apps/v1', typed: true},
    {item: `${deployments}/one/scale`, kind: 'Scale', apiVersion: 'autoscaling/v1', typed: true},
    {item: `${path('reservations', reservationsVersion)}/one`, kind: 'Reservation', apiVersion: reservationsVersion, typed: false},
    {item: `${path('reservations', reservationsVersion)}/one/status`, kind: 'Reservation', apiVersion: reservationsVersion, typed: false},
    {item: `${path('widgets', widgets)}/one`, kind: 'Widget', apiVersion: widgets, typed: false},
    {item: `${path('widgets', widgets)}/one/status`, kind: 'Widget', apiVersion: widgets, typed: false},
  ];
}

eachStore('a PUT of an object without a name is refused, on subresources too, and changes nothing', async (t, {client, path}) => {
  for (const {item, kind, apiVersion} of await targets(client, path)) {
    const before = answer<ReadObject>(t, await client.get(item), 200);
    for (const rest of [{}, {metadata: null}, {metadata: {}}, {metadata: {name: ''}}, {metadata: {name: null, labels: {a: 'b'}}}]) {
      assertFailure(t, await client.put(item, {apiVersion, kind, ...rest}), 400, 'BadRequest', undeterminable);
    }
    assertFailure(
      t,
      await client.put(item, {apiVersion, kind, metadata: {name: 'two'}}),
      400,
      'BadRequest',
      /\(two\) does not match .* \(one\)/,
    );
    t.deepEqual(answer<ReadObject>(t, await client.get(item), 200), before, item);
  }
});

eachStore('a patch that takes the name away is refused, whatever its kind, on subresources too', async (t, {client, path}) => {
  for (const {item, typed} of await targets(client, path)) {
    const before = answer<ReadObject>(t, await client.get(item), 200);
    const patches: [unknown, string][] = [
      [[{op: 'remove', path: '/metadata'}], json],
      [[{op: 'remove', path: '/metadata/name'}], json],
      [[{op: 'replace', path: '/metadata', value: {labels: {a: 'b'}}}], json],
      [{metadata: null}, merge],
      [{metadata: {name: null}}, merge],
      [{metadata: {name: ''}}, merge],
    ];
    if (typed) {
      patches.push(
        [{metadata: null}, strategic],
        [{metadata: {name: null}}, strategic],
        [{metadata: {$patch: 'delete'}}, strategic],
        [{metadata: {$patch: 'replace', labels: {a: 'b'}}}, strategic],
      );
    }
    for (const [patch, type] of patches) assertFailure(t, await client.patch(item, patch, type), 400, 'BadRequest', undeterminable);
    assertFailure(t, await client.patch(item, {metadata: {name: 'two'}}, merge), 400, 'BadRequest', /\(two\) does not match .* \(one\)/);
    t.deepEqual(answer<ReadObject>(t, await client.get(item), 200), before, item);
  }
});

eachStore('a Scale in another namespace than that of the path is refused', async (t, {client, path}) => {
  const [scale] = (await targets(client, path)).filter(({item}) => item.endsWith('/scale'));
  const body = {kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: {name: 'one', namespace: 'other'}, spec: {replicas: 5}};
  assertFailure(t, await client.put(scale!.item, body), 400, 'BadRequest', /namespace/);
  assertFailure(t, await client.patch(scale!.item, {metadata: {namespace: 'other'}, spec: {replicas: 5}}), 400, 'BadRequest', /namespace/);
  t.is(answer<ReadObject>(t, await client.get(scale!.item), 200).spec?.['replicas'], 2);
});
