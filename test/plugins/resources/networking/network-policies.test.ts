import test from 'ava';
import {startTestServer, type TestResponse, type TestServer} from '@orch-api/orch/testing';
import type {NetworkPolicy} from '@orch-api/orch/types/unchecked/networking/v1';
import {causesOf} from '../status-causes.js';
import {tableRow} from '../table-row.js';

const policies = '/apis/networking.orch/v1/namespaces/default/networkpolicies';
const blocks = '/apis/networking.orch/v1alpha1/clustercidrs';
let server: TestServer;
let alpha: TestServer;
test.before(async () => {
  [server, alpha] = await Promise.all([
    startTestServer(),
    startTestServer({runtimeConfig: {'networking.orch/v1alpha1': true}, featureGates: {NetworkPolicyStatus: true}}),
  ]);
});
test.after.always(() => Promise.all([server?.stop(), alpha?.stop()]));

const post = (name: string, spec: object, on = server) => on.client.post(policies, {metadata: {name}, spec: {podSelector: {}, ...spec}});

test('the directions of a policy follow from its rules', async (t) => {
  const types = async (name: string, spec: object) => (await post(name, spec)).json<NetworkPolicy>().spec?.policyTypes;
  t.deepEqual(await types('in', {}), ['Ingress']);
  t.deepEqual(await types('both', {egress: [{}]}), ['Ingress', 'Egress']);
  t.deepEqual(await types('out', {policyTypes: ['Egress']}), ['Egress']);
});

test('a port is TCP where it does not say', async (t) => {
  const {spec} = (
    await post('tcp', {ingress: [{ports: [{port: 'http'}, {port: 8000, endPort: 9000, protocol: 'UDP'}]}]})
  ).json<NetworkPolicy>();
  t.deepEqual(spec?.ingress?.[0]?.ports, [
    {port: 'http', protocol: 'TCP'},
    {port: 8000, endPort: 9000, protocol: 'UDP'},
  ]);
});

const ports = (...list: object[]) => ({ingress: [{ports: list}]});
const peers = (...list: object[]) => ({egress: [{to: list}], policyTypes: ['Egress']});
const cidr = 'spec.egress[0].to[0].ipBlock';
const faulty: [spec: object, ...faults: string[]][] = [
  [
    {podSelector: {matchExpressions: [{key: 'a', operator: 'In'}]}},
    "spec.podSelector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
  ],
  [ports({protocol: 'ICMP'}), 'spec.ingress[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"'],
  [ports({port: 0}), 'spec.ingress[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive'],
  [ports({port: 80, endPort: 79}), 'spec.ingress[0].ports[0].endPort: Invalid value: 79: must be greater than or equal to `port`'],
  [
    ports({port: 'http', endPort: 79}),
    'spec.ingress[0].ports[0].endPort: Invalid value: 79: may not be specified when `port` is non-numeric',
  ],
  [ports({endPort: 79}), 'spec.ingress[0].ports[0].endPort: Invalid value: 79: may not be specified when `port` is not specified'],
  [peers({}), 'spec.egress[0].to[0]: Required value: must specify a peer'],
  [
    peers({podSelector: {}, ipBlock: {cidr: '10.0.0.0/8'}}),
    'spec.egress[0].to[0]: Forbidden: may not specify both ipBlock and another peer',
  ],
  [peers({ipBlock: {}}), `${cidr}.cidr: Required value`],
  [peers({ipBlock: {cidr: '10.0.0.0'}}), `${cidr}.cidr: Invalid value: "10.0.0.0": not a valid CIDR`],
  [
    peers({ipBlock: {cidr: '10.0.0.0/8', except: ['10.1.0.0/16', '11.0.0.0/16', '10.0.0.0/8', 'x', 'fd00::/16']}}),
    `${cidr}.except[1]: Invalid value: "11.0.0.0/16": must be a strict subset of \`cidr\``,
    `${cidr}.except[2]: Invalid value: "10.0.0.0/8": must be a strict subset of \`cidr\``,
    `${cidr}.except[3]: Invalid value: "x": not a valid CIDR`,
    `${cidr}.except[4]: Invalid value: "fd00::/16": must be a strict subset of \`cidr\``,
  ],
  [{policyTypes: ['Sideways']}, 'spec.policyTypes[0]: Unsupported value: "Sideways": supported values: "Egress", "Ingress"'],
  [
    {policyTypes: ['Ingress', 'Egress', 'Ingress']},
    'spec.policyTypes: Invalid value: ["Ingress","Egress","Ingress"]: may not specify more than two policyTypes',
  ],
];

for (const [index, [spec, ...faults]] of faulty.entries()) {
  test(`a network policy with ${JSON.stringify(spec)} is refused`, async (t) => {
    t.deepEqual(causesOf(await post(`faulty-${index}`, spec)), faults);
  });
}

test('conditions of a network policy need a feature, and are checked then', async (t) => {
  const condition = {type: 'Accepted', status: 'True', reason: 'Done', lastTransitionTime: '2024-01-02T03:04:05Z', message: ''};
  for (const [on, kept] of [
    [server, false],
    [alpha, true],
  ] as const) {
    t.is((await post('status', {}, on)).status, 201);
    const response = await on.client.patch(`${policies}/status/status`, {status: {conditions: [condition]}});
    t.is(response.status, 200, response.body.toString());
    t.is((response.json<NetworkPolicy>().status?.conditions ?? []).length === 1, kept);
  }
  const faults = causesOf(
    await alpha.client.patch(`${policies}/status/status`, {
      status: {conditions: [condition, {...condition, status: 'Yes', reason: '', lastTransitionTime: null}]},
    }),
  );
  t.deepEqual(faults, [
    'status.conditions[1].type: Duplicate value: "Accepted"',
    'status.conditions[1].status: Unsupported value: "Yes": supported values: "False", "True", "Unknown"',
    'status.conditions[1].lastTransitionTime: Required value: must be set',
    'status.conditions[1].reason: Required value: must be set',
  ]);
});

test('the status of a network policy comes with the policy itself as long as its feature is off', async (t) => {
  const condition = {type: 'Accepted', status: 'True', reason: 'Done', lastTransitionTime: '2024-01-02T03:04:05Z', message: ''};
  const withStatus = (name: string, reason: string) => ({
    metadata: {name},
    spec: {podSelector: {}},
    status: {conditions: [{...condition, reason}]},
  });
  const reasons = (response: TestResponse) => (response.json<NetworkPolicy>().status?.conditions ?? []).map(({reason}) => reason);
  t.deepEqual(reasons(await server.client.post(policies, withStatus('sent', 'First'))), ['First']);
  t.deepEqual(reasons(await alpha.client.post(policies, withStatus('sent', 'First'))), []);
  // Conditions that are there already are in use, and belong to the endpoint of the status from then on.
  t.deepEqual(reasons(await server.client.put(`${policies}/sent`, withStatus('sent', 'Second'))), ['First']);
  t.deepEqual(reasons(await alpha.client.put(`${policies}/sent`, withStatus('sent', 'Second'))), []);
  await post('later', {});
  t.deepEqual(reasons(await server.client.put(`${policies}/later`, withStatus('later', 'Second'))), ['Second']);
  t.deepEqual(reasons(await server.client.patch(`${policies}/later/status`, {status: {conditions: [{...condition, reason: 'Third'}]}})), [
    'Third',
  ]);
});

test('a Table shows the selector', async (t) => {
  await post('shown', {podSelector: {matchLabels: {b: '1', a: '2'}}});
  t.deepEqual(await tableRow(server.client, `${policies}/shown`), ['shown', 'a=2,b=1', 'AGE']);
});

test('cluster address blocks are served where their version is switched on', async (t) => {
  t.is((await server.client.get(blocks)).status, 404);
  t.is((await alpha.client.get(blocks)).status, 200);
});

test('a cluster address block has room for nodes and never changes', async (t) => {
  const faultsOf = async (spec: object) => causesOf(await alpha.client.post(blocks, {metadata: {name: 'faulty'}, spec}));
  t.deepEqual(await faultsOf({perNodeHostBits: 8}), ['spec: Required value: one or both of `ipv4` and `ipv6` must be specified']);
  t.deepEqual(await faultsOf({perNodeHostBits: 17, ipv4: '10.0.0.0/16'}), [
    'spec.perNodeHostBits: Invalid value: 17: must be less than or equal to 16',
  ]);
  t.deepEqual(await faultsOf({perNodeHostBits: 3, ipv6: 'fd00::/64'}), [
    'spec.perNodeHostBits: Invalid value: 3: must be greater than or equal to 4',
  ]);
  t.deepEqual(await faultsOf({perNodeHostBits: 8, ipv4: 'fd00::/64', ipv6: 'x'}), [
    'spec.ipv4: Invalid value: "fd00::/64": must be a valid IPv4 CIDR',
    'spec.ipv6: Invalid value: "x": must be a valid CIDR: x',
  ]);
  const nodeSelector = {nodeSelectorTerms: [{matchExpressions: [{key: 'rack', operator: 'In', values: ['a', 'b']}]}]};
  t.is(
    (await alpha.client.post(blocks, {metadata: {name: 'block'}, spec: {perNodeHostBits: 8, ipv4: '10.0.0.0/16', nodeSelector}})).status,
    201,
  );
  t.deepEqual(causesOf(await alpha.client.patch(`${blocks}/block`, {spec: {perNodeHostBits: 9}})), [
    'spec.perNodeHostBits: Invalid value: 9: field is immutable',
  ]);
  t.deepEqual(await tableRow(alpha.client, `${blocks}/block`), [
    'block',
    '8',
    '10.0.0.0/16',
    '<none>',
    'AGE',
    'MatchExpressions: [{rack In [a b]}]',
  ]);
});
