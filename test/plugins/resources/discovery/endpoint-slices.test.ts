import test, {type ExecutionContext} from 'ava';
import {startTestServer, type TestResponse, type TestServer} from '@orch-api/orch/testing';
import type {EndpointSlice} from '@orch-api/orch/types/unchecked/discovery/v1';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {causesOf} from '../status-causes.js';
import {tableRow} from '../table-row.js';

const root = '/apis/discovery.orch/v1/namespaces/default/endpointslices';
let server: TestServer;
test.before(async () => {
  server = await startTestServer();
});
test.after.always(() => server?.stop());

const post = (name: string, content: object) =>
  server.client.post(root, {metadata: {name}, addressType: 'IPv4', endpoints: [], ...content});

async function create(t: ExecutionContext, name: string, content: object): Promise<EndpointSlice> {
  const response = await post(name, content);
  t.is(response.status, 201, response.body.toString());
  return response.json<EndpointSlice>();
}

test('[B-REM-7] [B-REM-8] [B-REM-9] a slice of v1 has node and zone for each endpoint; the free topology of the past cannot be written', async (t) => {
  const endpoint = {addresses: ['10.1.2.3'], conditions: {ready: true}, nodeName: 'node-1', zone: 'west', hostname: 'a'};
  const {endpoints, metadata} = await create(t, 'placed', {endpoints: [{...endpoint, deprecatedTopology: {'example.com/rack': 'r'}}]});
  t.deepEqual(endpoints, [endpoint]);
  t.is(metadata.generation, 1);
  const changed = await server.client.patch(`${root}/placed`, {endpoints: [{addresses: ['10.1.2.4'], deprecatedTopology: {a: 'b'}}]});
  t.deepEqual(changed.json<EndpointSlice>().endpoints, [{addresses: ['10.1.2.4'], conditions: {}}] as EndpointSlice['endpoints'] & object);
  t.is((await server.client.get('/apis/discovery.orch/v1beta1/endpointslices')).status, 404);
});

test('a port has a protocol and an empty name where it does not say', async (t) => {
  const {ports} = await create(t, 'ports', {ports: [{port: 80}]});
  t.deepEqual(ports, [{name: '', protocol: 'TCP', port: 80}]);
});

const endpoint = (content: object) => ({endpoints: [{addresses: ['10.0.0.1'], ...content}]});
const faulty: [content: object, ...faults: (string | RegExp)[]][] = [
  [{addressType: ''}, 'addressType: Required value'],
  [{addressType: 'MAC'}, 'addressType: Unsupported value: "MAC": supported values: "FQDN", "IPv4", "IPv6"'],
  [{endpoints: [{}]}, 'endpoints[0].addresses: Required value: must contain at least 1 address'],
  [
    {endpoints: [{addresses: Array.from({length: 101}, (_, index) => `10.0.1.${index}`)}]},
    'endpoints[0].addresses: Too many: 101: must have at most 100 items',
  ],
  [{endpoints: Array.from({length: 1001}, () => ({addresses: ['10.0.0.1']}))}, 'endpoints: Too many: 1001: must have at most 1000 items'],
  [endpoint({addresses: ['fd00::1']}), 'endpoints[0].addresses[0]: Invalid value: "fd00::1": must be a valid IPv4 address'],
  [
    endpoint({addresses: ['127.0.0.1']}),
    'endpoints[0].addresses[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
  ],
  [
    {addressType: 'IPv6', endpoints: [{addresses: ['fe80::1', 'fd00::1']}]},
    'endpoints[0].addresses[0]: Invalid value: "fe80::1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
  ],
  [
    {addressType: 'FQDN', endpoints: [{addresses: ['a.example.com.', 'host']}]},
    'endpoints[0].addresses[1]: Invalid value: "host": should be a domain with at least two segments separated by dots',
  ],
  [endpoint({nodeName: 'Node'}), /^endpoints\[0\]\.nodeName: Invalid value: "Node"/],
  [endpoint({hostname: 'a.b'}), /^endpoints\[0\]\.hostname: Invalid value: "a\.b"/],
  [endpoint({hints: {forZones: [{name: 'a'}, {name: 'a'}]}}), 'endpoints[0].hints.forZones[1].name: Duplicate value: "a"'],
  [
    endpoint({hints: {forZones: Array.from({length: 9}, (_, index) => ({name: `z${index}`}))}}),
    'endpoints[0].hints.forZones: Too many: 9: must have at most 8 items',
  ],
  [{ports: [{port: 1}, {port: 2}]}, 'ports[1].name: Duplicate value: ""'],
  [
    {ports: [{name: 'Web', protocol: 'ICMP', appProtocol: '/x'}]},
    /^ports\[0\]\.name: Invalid value: "Web"/,
    'ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"',
    /^ports\[0\]\.appProtocol: Invalid value: "\/x"/,
  ],
];

for (const [index, [content, ...expected]] of faulty.entries()) {
  test(`a slice with ${JSON.stringify(content).slice(0, 100)} is refused`, async (t) => {
    const faults = causesOf(await post(`faulty-${index}`, content));
    t.is(faults.length, expected.length, faults.join('\n'));
    for (const [position, pattern] of expected.entries()) {
      if (typeof pattern === 'string') t.is(faults[position], pattern);
      else t.regex(faults[position]!, pattern);
    }
  });
}

test('the type of the addresses cannot change, and the generation counts labels and contents', async (t) => {
  await create(t, 'changing', {addressType: 'FQDN', endpoints: [{addresses: ['a.example.com']}]});
  t.deepEqual(causesOf(await server.client.patch(`${root}/changing`, {addressType: 'IPv4', endpoints: []})), [
    'addressType: Invalid value: "IPv4": field is immutable',
  ]);
  const generation = async (patch: object) =>
    (await server.client.patch(`${root}/changing`, patch)).json<EndpointSlice>().metadata.generation;
  t.is(await generation({metadata: {annotations: {a: 'b'}}}), 1);
  t.is(await generation({metadata: {labels: {a: 'b'}}}), 2);
  t.is(await generation({ports: [{port: 1}]}), 3);
  t.is(await generation({ports: [{port: 1, name: ''}]}), 3);
  t.is(await generation({ports: [{port: 1}]}), 3);
});

test('hints are dropped while their feature is off, unless the stored slice has some', async (t) => {
  const folder = tempFolder(t);
  const hinted = {addresses: ['10.0.0.1'], hints: {forZones: [{name: 'west'}]}};
  const zones = (response: TestResponse) => (response.json<EndpointSlice>().endpoints ?? []).map(({hints}) => hints?.forZones?.[0]?.name);
  const within = async (gate: boolean, work: (client: TestServer['client']) => Promise<void>) => {
    const gated = await startTestServer({dataDir: folder, store: 'embedded', featureGates: {TopologyAwareHints: gate}});
    try {
      await work(gated.client);
    } finally {
      await gated.stop();
    }
  };
  await within(true, async (client) => {
    t.deepEqual(zones(await client.post(root, {metadata: {name: 'before'}, addressType: 'IPv4', endpoints: [hinted]})), ['west']);
  });
  await within(false, async (client) => {
    t.deepEqual(zones(await client.post(root, {metadata: {name: 'new'}, addressType: 'IPv4', endpoints: [hinted]})), [undefined]);
    t.deepEqual(zones(await client.patch(`${root}/new`, {endpoints: [hinted, hinted]})), [undefined, undefined]);
    t.deepEqual(zones(await client.patch(`${root}/before`, {endpoints: [hinted, hinted]})), ['west', 'west']);
  });
});

test('a Table shows the first ports and addresses', async (t) => {
  const ports = [{name: 'a', port: 80}, {name: 'b'}, {}, {name: 'c', port: 90}];
  await create(t, 'shown', {ports, endpoints: [{addresses: ['10.0.0.1', '10.0.0.2']}, {addresses: ['10.0.0.3', '10.0.0.4']}]});
  t.deepEqual(await tableRow(server.client, `${root}/shown`), [
    'shown',
    'IPv4',
    '80,b,* + 1 more...',
    '10.0.0.1,10.0.0.2,10.0.0.3 + 1 more...',
    'AGE',
  ]);
  await create(t, 'bare', {});
  t.deepEqual(await tableRow(server.client, `${root}/bare`), ['bare', 'IPv4', '<unset>', '<unset>', 'AGE']);
});
