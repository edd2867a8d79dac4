import test from 'ava';
import type {TestResponse} from '@orch-api/orch/testing';
import {causesOf, servedGroup} from '../served-group.js';

const client = servedGroup(test, {release: '1.36', platform: 'kubernetes'});
const storage = '/apis/storage.k8s.io/v1';
const faultsOf = (response: TestResponse) => (response.status < 300 ? [] : causesOf(response));

/** What a driver has, and its faults below `spec`; none if it is valid. */
const drivers: [string, object, string[]][] = [
  ['often', {nodeAllocatableUpdatePeriodSeconds: 10}, []],
  [
    'too-often',
    {nodeAllocatableUpdatePeriodSeconds: 9},
    ['nodeAllocatableUpdatePeriodSeconds: Invalid value: 9: must be greater than or equal to 10 seconds'],
  ],
  [
    'without-tokens',
    {serviceAccountTokenInSecrets: true},
    ['serviceAccountTokenInSecrets: Invalid value: true: serviceAccountTokenInSecrets is set but no tokenRequests are specified'],
  ],
];
for (const [name, spec, faults] of drivers) {
  test(`drivers of 1.36: ${name}`, async (t) => {
    t.deepEqual(
      faultsOf(await client().post(`${storage}/csidrivers`, {metadata: {name}, spec})),
      faults.map((text) => `spec.${text}`),
    );
  });
}

test('a driver that gets tokens is asked to take them as secrets', async (t) => {
  const spec = {tokenRequests: [{audience: 'a'}]};
  const warned = await client().post(`${storage}/csidrivers`, {metadata: {name: 'open'}, spec});
  t.regex(String(warned.headers['warning']), /spec\.serviceAccountTokenInSecrets is unset/);
  const silent = await client().post(`${storage}/csidrivers`, {
    metadata: {name: 'closed'},
    spec: {...spec, serviceAccountTokenInSecrets: true},
  });
  t.is(silent.headers['warning'], undefined);
  const refused = await client().post(`${storage}/csidrivers`, {
    metadata: {name: 'refused'},
    spec: {tokenRequests: [{expirationSeconds: 1}]},
  });
  t.is(refused.status, 422);
  t.is(refused.headers['warning'], undefined);
});

test('what a node can attach changes, nothing else of its drivers', async (t) => {
  const nodeOf = (driver: object, metadata: object = {name: 'n'}) => ({
    metadata,
    spec: {drivers: [{name: 'disk.example', nodeID: 'i', ...driver}]},
  });
  await client().post(`${storage}/csinodes`, nodeOf({allocatable: {count: 1}}));
  const stored = async () => (await client().get(`${storage}/csinodes/n`)).json<{metadata: object}>().metadata;
  t.deepEqual(faultsOf(await client().put(`${storage}/csinodes/n`, nodeOf({allocatable: {count: 2}}, await stored()))), []);
  t.regex(
    faultsOf(await client().put(`${storage}/csinodes/n`, nodeOf({nodeID: 'j'}, await stored())))[0]!,
    /^spec\.drivers\[0\]: Invalid value: .*field is immutable$/,
  );
});

test('errors of attachments have codes that are not negative', async (t) => {
  const attachment = {metadata: {name: 'a'}, spec: {attacher: 'disk.example', nodeName: 'n', source: {persistentVolumeName: 'v'}}};
  const {metadata} = (await client().post(`${storage}/volumeattachments`, attachment)).json<{metadata: object}>();
  const put = async (errorCode: number) =>
    faultsOf(
      await client().put(`${storage}/volumeattachments/a/status`, {
        ...attachment,
        metadata,
        status: {attached: false, attachError: {errorCode}},
      }),
    );
  t.deepEqual(await put(-1), ['status.attachError.errorCode: Invalid value: -1: must be between 0 and 2147483647, inclusive']);
  t.deepEqual(await put(8), []);
});

test('the names in an attachment are checked in every change of it', async (t) => {
  const spec = {attacher: 'disk.example', nodeName: 'n', source: {persistentVolumeName: 'v'}};
  const path = `${storage}/volumeattachments`;
  t.is((await client().post(path, {metadata: {name: 'named'}, spec})).status, 201);
  const [ofName, ofChange] = faultsOf(await client().patch(`${path}/named`, {spec: {attacher: 'Not_Valid!'}}));
  t.regex(ofName!, /^spec\.attacher: Invalid value: "Not_Valid!"/);
  t.regex(ofChange!, /^spec: Invalid value: .*: field is immutable$/);
});

test('tolerances of autoscalers, hints of endpoints and features of nodes are checked', async (t) => {
  const autoscaler = {
    metadata: {name: 'a'},
    spec: {
      maxReplicas: 1,
      scaleTargetRef: {apiVersion: 'apps/v1', kind: 'Deployment', name: 'd'},
      behavior: {scaleUp: {tolerance: '-1'}, scaleDown: {tolerance: '0.1'}},
    },
  };
  t.deepEqual(faultsOf(await client().post('/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', autoscaler)), [
    'spec.behavior.scaleUp.tolerance: Invalid value: "-1": must be greater than or equal to 0',
  ]);
  const hints = {forNodes: [{name: 'n'}, {name: 'n'}, {name: 'A'}]};
  const slice = {metadata: {name: 's'}, addressType: 'IPv4', endpoints: [{addresses: ['10.1.2.3'], hints}], ports: []};
  const found = faultsOf(await client().post('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', slice));
  t.is(found[0], 'endpoints[0].hints.forNodes[1].name: Duplicate value: "n"');
  t.regex(found[1]!, /^endpoints\[0\]\.hints\.forNodes\[2\]\.name: Invalid value: "A"/);
  const node = {metadata: {name: 'node'}, status: {declaredFeatures: ['B', 'A/b', 'A/b', 'x']}};
  const features = faultsOf(await client().post('/api/v1/nodes', node));
  t.deepEqual(features.slice(0, 2), [
    'status.declaredFeatures[1]: Invalid value: "A/b": list must be sorted alphabetically',
    'status.declaredFeatures[2]: Duplicate value: "A/b"',
  ]);
  t.regex(
    features[2]!,
    /^status\.declaredFeatures\[3\]: Invalid value: "x": invalid feature name "x": must start with an UpperCamelCase segment/,
  );
});
