import test, {type ExecutionContext} from 'ava';
import type {ApiObject} from '@orch-api/orch/sdk';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {causesOf} from '../status-causes.js';
import {tableRow} from '../table-row.js';

const root = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
let server: TestServer;
let alpha: TestServer;
test.before(async () => {
  [server, alpha] = await Promise.all([startTestServer(), startTestServer({featureGates: {PDBUnhealthyPodEvictionPolicy: true}})]);
});
test.after.always(() => Promise.all([server?.stop(), alpha?.stop()]));

interface Budget extends ApiObject {
  spec?: Record<string, unknown>;
}

const post = (name: string, spec: object, on = server) => on.client.post(root, {metadata: {name}, spec});

async function create(t: ExecutionContext, name: string, spec: object, on = server): Promise<Budget> {
  const response = await post(name, spec, on);
  t.is(response.status, 201, response.body.toString());
  return response.json<Budget>();
}

test('[B-REM-16] a budget is served in policy/v1 and not in policy/v1beta1', async (t) => {
  await create(t, 'served', {minAvailable: 1, selector: {matchLabels: {a: 'b'}}});
  t.is((await server.client.get(`${root}/served`)).status, 200);
  t.is((await server.client.get('/apis/policy/v1beta1/poddisruptionbudgets')).status, 404);
});

test('an empty selector and none are different', async (t) => {
  t.deepEqual((await create(t, 'all-pods', {maxUnavailable: '10%', selector: {}})).spec, {maxUnavailable: '10%', selector: {}});
  t.deepEqual((await create(t, 'no-pods', {maxUnavailable: 0})).spec, {maxUnavailable: 0});
});

const faulty: [spec: object, fault: string][] = [
  [
    {minAvailable: 1, maxUnavailable: 1},
    'spec: Invalid value: {"minAvailable":1,"maxUnavailable":1}: minAvailable and maxUnavailable cannot be both set',
  ],
  [{minAvailable: -1}, 'spec.minAvailable: Invalid value: -1: must be greater than or equal to 0'],
  [{maxUnavailable: '101%'}, 'spec.maxUnavailable: Invalid value: "101%": must not be greater than 100%'],
  [
    {selector: {matchExpressions: [{key: 'a', operator: 'Exists', values: ['b']}]}},
    "spec.selector.matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
  ],
];

for (const [index, [spec, fault]] of faulty.entries()) {
  test(`a budget with ${JSON.stringify(spec)} is refused`, async (t) => {
    t.deepEqual(causesOf(await post(`faulty-${index}`, spec)), [fault]);
  });
}

test('the policy for unhealthy pods needs its feature', async (t) => {
  const spec = {minAvailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow'};
  t.deepEqual((await create(t, 'unhealthy', spec)).spec, {minAvailable: 1});
  t.deepEqual((await create(t, 'unhealthy', spec, alpha)).spec, spec);
  t.deepEqual(causesOf(await post('wrong', {unhealthyPodEvictionPolicy: 'Never'}, alpha)), [
    'spec.unhealthyPodEvictionPolicy: Unsupported value: "Never": supported values: "AlwaysAllow", "IfHealthyBudget"',
  ]);
});

test('an update must say which version it is of', async (t) => {
  const {spec, metadata} = await create(t, 'conditional', {minAvailable: 1});
  const name = metadata.name!;
  t.deepEqual(causesOf(await server.client.put(`${root}/${name}`, {metadata: {name}, spec})), [
    'metadata.resourceVersion: Invalid value: 0: must be specified for an update',
  ]);
  t.is((await server.client.put(`${root}/${name}`, {metadata, spec: {minAvailable: 2}})).status, 200);
});

test('the status has counts that are not negative and conditions of the common form', async (t) => {
  await create(t, 'status', {minAvailable: 1});
  t.deepEqual(
    causesOf(
      await server.client.patch(`${root}/status/status`, {
        status: {
          currentHealthy: -1,
          conditions: [{type: 'a b', status: 'True', reason: '1x', lastTransitionTime: '2024-01-02T03:04:05Z', observedGeneration: -1}],
        },
      }),
    ).map((fault) => fault.split(': ').slice(0, 3).join(': ')),
    [
      'status.conditions[0].type: Invalid value: "a b"',
      'status.conditions[0].observedGeneration: Invalid value: -1',
      'status.conditions[0].reason: Invalid value: "1x"',
      'status.currentHealthy: Invalid value: -1',
    ],
  );
});

test('a Table shows what is demanded and what is allowed now', async (t) => {
  await create(t, 'shown', {minAvailable: '50%'});
  await server.client.patch(`${root}/shown/status`, {status: {disruptionsAllowed: 2}});
  t.deepEqual(await tableRow(server.client, `${root}/shown`), ['shown', '50%', 'N/A', 2, 'AGE']);
});
