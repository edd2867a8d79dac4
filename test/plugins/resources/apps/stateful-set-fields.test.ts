import test, {type ExecutionContext} from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import type {StatefulSet, StatefulSetSpec} from '@orch-api/orch/types/unchecked/apps/v1';
import {causesOf} from '../status-causes.js';
import {statefulSet, without} from './stateful-set-objects.js';

const path = '/apis/apps/v1/namespaces/default/statefulsets';
const gates = ['MaxUnavailableStatefulSet', 'StatefulSetAutoDeletePVC', 'StatefulSetStartOrdinal'] as const;
let plain: TestServer;
let alpha: TestServer;
test.before(async () => {
  [plain, alpha] = await Promise.all([
    startTestServer(),
    startTestServer({featureGates: Object.fromEntries(gates.map((gate) => [gate, true]))}),
  ]);
});
test.after.always(async () => {
  await Promise.all([plain?.stop(), alpha?.stop()]);
});

let names = 0;
const nextName = () => `set-${(names += 1)}`;

async function created(t: ExecutionContext, server: TestServer, spec: Record<string, unknown>): Promise<StatefulSetSpec> {
  const response = await server.client.post(path, statefulSet(nextName(), spec));
  t.is(response.status, 201, response.body.toString());
  return response.json<StatefulSet>().spec!;
}

async function faults(server: TestServer, spec: Record<string, unknown>): Promise<string[]> {
  return causesOf(await server.client.post(path, statefulSet(nextName(), spec)));
}

test('[A-STS-1] a StatefulSet is served as apps/v1, namespaced, with metadata, spec and status', async (t) => {
  const response = await plain.client.post(path, statefulSet('served'));
  t.is(response.status, 201);
  const object = response.json<StatefulSet>();
  t.is(object.apiVersion, 'apps/v1');
  t.is(object.kind, 'StatefulSet');
  t.is(object.metadata.namespace, 'default');
  t.true('spec' in object && 'status' in object);
});

test('[A-STS-2] a StatefulSet without spec.serviceName is warned of: real manifests leave it out', async (t) => {
  const response = await plain.client.post(path, without(statefulSet(nextName()), 'serviceName'));
  t.is(response.status, 201, response.body.toString());
  t.regex(String(response.headers['warning']), /spec\.serviceName: no service is named/);
});

for (const [id, member, expected] of [
  [
    '[A-STS-3]',
    'selector',
    [
      'spec.selector: Required value',
      'spec.template.metadata.labels: Invalid value: {"app":"db"}: `selector` does not match template `labels`',
    ],
  ],
  ['[A-STS-4]', 'template', ['spec.template.metadata.labels: Invalid value: {}: `selector` does not match template `labels`']],
] as const) {
  test(`${id} a StatefulSet without spec.${member} is refused`, async (t) => {
    t.deepEqual(causesOf(await plain.client.post(path, without(statefulSet(nextName()), member))), [...expected]);
  });
}

test('[A-STS-5] a selector that does not match the labels of the template is refused, and so is an empty one', async (t) => {
  const mismatch = 'spec.template.metadata.labels: Invalid value: {"app":"db"}: `selector` does not match template `labels`';
  t.deepEqual(await faults(plain, {selector: {matchLabels: {app: 'other'}}}), [mismatch]);
  t.deepEqual(await faults(plain, {selector: {matchExpressions: [{key: 'app', operator: 'NotIn', values: ['db']}]}}), [mismatch]);
  t.deepEqual(await faults(plain, {selector: {}}), ['spec.selector: Invalid value: {}: empty selector is invalid for statefulset']);
});

test('[A-STS-6] [A-STS-7] [A-STS-8] [A-STS-16] [A-STS-21] [A-STS-24] what is left out gets its default', async (t) => {
  const spec = await created(t, plain, {});
  t.is(spec.replicas, 1);
  t.deepEqual(spec.updateStrategy, {type: 'RollingUpdate', rollingUpdate: {partition: 0}});
  t.is(spec.podManagementPolicy, 'OrderedReady');
  t.is(spec.revisionHistoryLimit, 10);
  t.is(spec.minReadySeconds ?? 0, 0);
});

test('[A-STS-8] an explicit type without rollingUpdate stays without it', async (t) => {
  t.deepEqual((await created(t, plain, {updateStrategy: {type: 'RollingUpdate'}})).updateStrategy, {type: 'RollingUpdate'});
  t.deepEqual((await created(t, plain, {updateStrategy: {type: 'RollingUpdate', rollingUpdate: {}}})).updateStrategy?.rollingUpdate, {
    partition: 0,
  });
  t.deepEqual((await created(t, plain, {updateStrategy: {type: 'OnDelete'}})).updateStrategy, {type: 'OnDelete'});
});

for (const [id, member] of [
  ['[A-STS-6]', 'replicas'],
  ['[A-STS-21]', 'revisionHistoryLimit'],
  ['[A-STS-24]', 'minReadySeconds'],
] as const) {
  test(`${id} spec.${member} is an int32`, async (t) => {
    t.is((await created(t, plain, {[member]: 2 ** 31 - 1}))[member], 2 ** 31 - 1);
    for (const value of [2 ** 31, 1.5, 'one'])
      t.is((await plain.client.post(path, statefulSet(nextName(), {[member]: value}))).status, 400, String(value));
  });
}

for (const member of ['replicas', 'minReadySeconds']) {
  test(`spec.${member} is not negative`, async (t) => {
    t.deepEqual(await faults(plain, {[member]: -1}), [`spec.${member}: Invalid value: -1: must be greater than or equal to 0`]);
  });
}

test('[A-STS-8] a partition is an int32 that is not negative', async (t) => {
  const strategy = (partition: unknown) => ({updateStrategy: {type: 'RollingUpdate', rollingUpdate: {partition}}});
  t.is((await created(t, plain, strategy(3))).updateStrategy?.rollingUpdate?.partition, 3);
  t.deepEqual(await faults(plain, strategy(-1)), [
    'spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0',
  ]);
});

test('[A-STS-7] other update strategies are refused, and rollingUpdate with OnDelete', async (t) => {
  t.deepEqual(await faults(plain, {updateStrategy: {type: 'Sometimes'}}), [
    `spec.updateStrategy: Invalid value: {"type":"Sometimes"}: must be 'RollingUpdate' or 'OnDelete'`,
  ]);
  t.deepEqual(await faults(plain, {updateStrategy: {type: 'OnDelete', rollingUpdate: {partition: 1}}}), [
    `spec.updateStrategy.rollingUpdate: Invalid value: {"partition":1}: only allowed for updateStrategy 'RollingUpdate'`,
  ]);
});

const rolling = (maxUnavailable: unknown) => ({updateStrategy: {type: 'RollingUpdate', rollingUpdate: {maxUnavailable}}});
const maxUnavailablePath = 'spec.updateStrategy.rollingUpdate.maxUnavailable';

test('[A-STS-10] maxUnavailable is a number or a percentage', async (t) => {
  for (const value of [2, '30%', '100%'])
    t.is((await created(t, alpha, rolling(value))).updateStrategy?.rollingUpdate?.maxUnavailable, value);
  t.deepEqual(await faults(alpha, rolling(-1)), [`${maxUnavailablePath}: Invalid value: -1: must be greater than or equal to 0`]);
  t.deepEqual(await faults(alpha, rolling('101%')), [`${maxUnavailablePath}: Invalid value: "101%": must not be greater than 100%`]);
  const [fault = ''] = await faults(alpha, rolling('many'));
  t.regex(fault, /must be a numeric string followed by an ending '%'/);
});

test('[A-STS-11] maxUnavailable is 1 by default when its feature is on', async (t) => {
  t.deepEqual((await created(t, alpha, {})).updateStrategy, {type: 'RollingUpdate', rollingUpdate: {partition: 0, maxUnavailable: 1}});
});

test('[A-STS-12] a maxUnavailable of 0 is refused', async (t) => {
  for (const value of [0, '0%'])
    t.deepEqual(await faults(alpha, rolling(value)), [`${maxUnavailablePath}: Invalid value: ${JSON.stringify(value)}: cannot be 0`]);
});

test('[A-STS-14] maxUnavailable is dropped while its feature is off', async (t) => {
  t.deepEqual((await created(t, plain, rolling(2))).updateStrategy, {type: 'RollingUpdate', rollingUpdate: {partition: 0}});
});

test('[A-STS-17] podManagementPolicy is OrderedReady or Parallel', async (t) => {
  for (const policy of ['OrderedReady', 'Parallel'])
    t.is((await created(t, plain, {podManagementPolicy: policy})).podManagementPolicy, policy);
  t.deepEqual(await faults(plain, {podManagementPolicy: 'Random'}), [
    `spec.podManagementPolicy: Invalid value: "Random": must be 'OrderedReady' or 'Parallel'`,
  ]);
});

test('[A-STS-22] volumeClaimTemplates are PersistentVolumeClaims', async (t) => {
  const claim = {metadata: {name: 'data'}, spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}}};
  const template = {
    metadata: {labels: {app: 'db'}},
    spec: {containers: [{name: 'db', image: 'db:1', volumeMounts: [{name: 'data', mountPath: '/data'}]}]},
  };
  const spec = await created(t, plain, {template, volumeClaimTemplates: [claim]});
  t.like(spec.volumeClaimTemplates, [{apiVersion: 'v1', kind: 'PersistentVolumeClaim', ...claim, status: {phase: 'Pending'}}]);
});

const retention = (policy: object) => ({persistentVolumeClaimRetentionPolicy: policy});

for (const [id, member, other] of [
  ['[A-STS-25]', 'whenDeleted', 'whenScaled'],
  ['[A-STS-26]', 'whenScaled', 'whenDeleted'],
] as const) {
  test(`${id} persistentVolumeClaimRetentionPolicy.${member} is Retain or Delete, and Retain by default`, async (t) => {
    const read = async (spec: Record<string, unknown>) => (await created(t, alpha, spec)).persistentVolumeClaimRetentionPolicy;
    t.deepEqual(await read({}), {whenDeleted: 'Retain', whenScaled: 'Retain'});
    t.deepEqual(await read(retention({[member]: 'Delete'})), {
      [member]: 'Delete',
      [other]: 'Retain',
    } as unknown as StatefulSetSpec['persistentVolumeClaimRetentionPolicy']);
    t.is((await read(retention({[member]: 'Retain'})))?.[member], 'Retain');
  });
}

test('[A-STS-27] another retention policy is refused', async (t) => {
  t.deepEqual(await faults(alpha, retention({whenDeleted: 'Archive', whenScaled: 'Keep'})), [
    'spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "Archive": supported values: "Delete", "Retain"',
    'spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "Keep": supported values: "Delete", "Retain"',
  ]);
});

test('[A-STS-28] persistentVolumeClaimRetentionPolicy is dropped while its feature is off', async (t) => {
  t.false('persistentVolumeClaimRetentionPolicy' in (await created(t, plain, retention({whenDeleted: 'Delete'}))));
});

test('[A-STS-29] ordinals.start is an int32 that is not negative, and 0 by default', async (t) => {
  t.deepEqual((await created(t, alpha, {ordinals: {start: 5}})).ordinals, {start: 5});
  t.deepEqual((await created(t, alpha, {ordinals: {}})).ordinals, {start: 0});
  t.deepEqual(await faults(alpha, {ordinals: {start: -1}}), ['spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0']);
});

test('[A-STS-31] ordinals are dropped while their feature is off', async (t) => {
  t.false('ordinals' in (await created(t, plain, {ordinals: {start: 5}})));
});

test('the pod spec of the template is not looked at; labels, restart policy and deadline are', async (t) => {
  t.is((await created(t, plain, {template: {metadata: {labels: {app: 'db'}}, spec: {containers: [{name: 'Not A Name'}]}}})).replicas, 1);
  const template = {metadata: {labels: {app: 'db', 'no key!': 'x'}}, spec: {restartPolicy: 'Never', activeDeadlineSeconds: 5}};
  const [restart, deadline, label, ...rest] = await faults(plain, {template});
  t.is(restart, 'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"');
  t.is(deadline, 'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in StatefulSet is not Supported');
  t.regex(label ?? '', /^spec\.template\.labels: Invalid value: "no key!"/);
  t.deepEqual(rest, []);
});
