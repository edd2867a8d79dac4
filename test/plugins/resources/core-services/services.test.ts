import test from 'ava';
import type {ApiObject} from '../../../../sdk/index.js';
import {causesOf, faultyFields, servedGroup, tableRows} from '../served-group.js';

const client = servedGroup(test);
const path = '/api/v1/namespaces/default/services';

interface Service extends ApiObject {
  spec: Record<string, unknown> & {
    clusterIP?: string;
    clusterIPs?: string[];
    ports?: {nodePort?: number; targetPort?: unknown; port: number}[];
  };
  status: Record<string, unknown>;
}

const service = (name: string, spec: object) => ({apiVersion: 'v1', kind: 'Service', metadata: {name}, spec});
const port80 = [{port: 80}];

async function made(name: string, spec: object): Promise<Service> {
  const response = await client().post(path, service(name, spec));
  if (response.status !== 201) throw new Error(response.body.toString());
  return response.json<Service>();
}

const patch = (name: string, spec: object) => client().patch(`${path}/${name}`, {spec});

test('a service gets an address and its defaults', async (t) => {
  const {spec, status} = await made('plain', {
    ports: [{port: 80}, {name: 'b', port: 81, targetPort: 'http'}].map((port, index) => ({...port, name: `p${index}`})),
  });
  t.regex(spec.clusterIP!, /^10\.(9[6-9]|10\d|11[01])\./);
  t.deepEqual(spec.clusterIPs, [spec.clusterIP!]);
  t.like(spec, {
    type: 'ClusterIP',
    sessionAffinity: 'None',
    ipFamilyPolicy: 'SingleStack',
    ipFamilies: ['IPv4'],
    internalTrafficPolicy: 'Cluster',
  } as never);
  t.deepEqual(
    spec.ports?.map(({targetPort}) => targetPort),
    [80, 'http'],
  );
  t.deepEqual(status, {loadBalancer: {}});
});

test('a service that clients reach from outside gets ports on nodes', async (t) => {
  const {spec} = await made('outside', {
    type: 'NodePort',
    ports: [
      {name: 'a', port: 53, protocol: 'UDP'},
      {name: 'b', port: 53, protocol: 'TCP'},
      {name: 'c', port: 80},
    ],
  });
  const [udp, tcp, other] = spec.ports!.map(({nodePort}) => nodePort!);
  t.is(udp, tcp, 'ports of one number share');
  t.not(udp, other);
  for (const port of [udp!, other!]) t.true(port >= 30000 && port <= 32767);
  t.is(spec['externalTrafficPolicy'], 'Cluster');
});

test('a load balancer that keeps traffic local gets a port to be asked at', async (t) => {
  const {spec} = await made('balanced', {type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: port80});
  t.true(Number(spec['healthCheckNodePort']) >= 30000);
  t.is(spec['allocateLoadBalancerNodePorts'], true);
  const without = await made('balanced-inside', {type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: port80});
  t.is(without.spec.ports?.[0]?.nodePort, undefined);
});

test('a headless service has no address, a name elsewhere nothing at all', async (t) => {
  const headless = await made('headless', {clusterIP: 'None'});
  t.deepEqual(headless.spec.clusterIPs, ['None']);
  t.like(headless.spec, {ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv4', 'IPv6']} as never);
  const elsewhere = await made('elsewhere', {type: 'ExternalName', externalName: 'db.example.com.'});
  t.deepEqual(Object.keys(elsewhere.spec).sort(), ['externalName', 'sessionAffinity', 'type']);
});

const faulty: [string, object, string[]][] = [
  ['needs ports', {}, ['spec.ports']],
  ['has a known type', {type: 'Mesh', ports: port80}, ['spec.type']],
  [
    'names its ports where there are several',
    {ports: [{port: 1}, {port: 1}]},
    ['spec.ports[0].name', 'spec.ports[1].name', 'spec.ports[1]'],
  ],
  ['has no ports on nodes inside', {ports: [{port: 80, nodePort: 30001}]}, ['spec.ports[0].nodePort']],
  [
    'takes a port on nodes once',
    {
      type: 'NodePort',
      ports: [
        {name: 'a', port: 1, nodePort: 30002},
        {name: 'b', port: 2, nodePort: 30002},
      ],
    },
    ['spec.ports[1].nodePort'],
  ],
  ['is not headless outside', {type: 'NodePort', clusterIP: 'None', ports: port80}, ['spec.clusterIPs[0]']],
  [
    'leads somewhere',
    {type: 'ExternalName', clusterIP: '10.96.0.9', ipFamilies: ['IPv4']},
    ['spec.externalName', 'spec.clusterIPs', 'spec.ipFamilies'],
  ],
  ['keeps the port of agents inside', {type: 'LoadBalancer', ports: [{port: 10250}]}, ['spec.ports[0].port']],
  ['has one address first', {clusterIP: '10.96.0.9', clusterIPs: ['10.96.0.8'], ports: port80}, ['spec.clusterIPs']],
  ['has one address of a family', {clusterIP: '10.96.0.9', clusterIPs: ['10.96.0.9', '10.96.0.8'], ports: port80}, ['spec.clusterIPs']],
  ['has addresses of its families', {clusterIP: '10.96.0.9', ipFamilies: ['IPv6'], ports: port80}, ['spec.clusterIPs[0]']],
  ['has families that there are', {ipFamilies: ['IPv6'], ports: port80}, ['spec.ipFamilies[0]']],
  ['has two families where there are two', {ipFamilyPolicy: 'RequireDualStack', ports: port80}, ['spec.ipFamilyPolicy']],
  ['is reached at machines', {externalIPs: ['127.0.0.1', 'x'], ports: port80}, ['spec.externalIPs[0]', 'spec.externalIPs[1]']],
  [
    'remembers clients for a day at most',
    {sessionAffinity: 'ClientIP', sessionAffinityConfig: {clientIP: {timeoutSeconds: 90000}}, ports: port80},
    ['spec.sessionAffinityConfig.clientIP.timeoutSeconds'],
  ],
  [
    'has settings of load balancers only as one',
    {loadBalancerSourceRanges: ['x'], loadBalancerClass: 'a', allocateLoadBalancerNodePorts: true, ports: port80},
    ['spec.loadBalancerSourceRanges', 'spec.loadBalancerSourceRanges[0]', 'spec.allocateLoadBalancerNodePorts', 'spec.loadBalancerClass'],
  ],
  [
    'has a policy for outside only there',
    {externalTrafficPolicy: 'Local', healthCheckNodePort: 30003, ports: port80},
    ['spec.externalTrafficPolicy', 'spec.healthCheckNodePort'],
  ],
];
for (const [title, spec, fields] of faulty) {
  test(`a service ${title}`, async (t) => {
    t.deepEqual(faultyFields(await client().post(path, service('faulty', spec))), fields);
  });
}

test('the name of a service starts with a letter', async (t) => {
  t.deepEqual(faultyFields(await client().post(path, service('1st', {ports: port80}))), ['metadata.name']);
});

test('the first address stays, and is kept where a client leaves it out', async (t) => {
  const before = await made('kept', {type: 'NodePort', ports: port80});
  const put = await client().put(`${path}/kept`, service('kept', {type: 'NodePort', ports: [{port: 8080}]}));
  t.is(put.status, 200);
  const after = put.json<Service>();
  t.is(after.spec.clusterIP, before.spec.clusterIP);
  t.is(after.spec.ports?.[0]?.nodePort, before.spec.ports?.[0]?.nodePort);
  t.deepEqual(causesOf(await patch('kept', {clusterIP: '10.96.77.7'})), [
    'spec.clusterIPs[0]: Invalid value: ["10.96.77.7"]: may not change once set',
  ]);
});

test('what only the old type needed goes with it', async (t) => {
  await made('turning', {type: 'LoadBalancer', externalTrafficPolicy: 'Local', loadBalancerClass: 'a.example/x', ports: port80});
  await client().patch(`${path}/turning/status`, {status: {loadBalancer: {ingress: [{ip: '192.0.2.1'}]}}});
  const inside = (await patch('turning', {type: 'ClusterIP'})).json<Service>();
  t.deepEqual(Object.keys(inside.spec).sort(), [
    'clusterIP',
    'clusterIPs',
    'internalTrafficPolicy',
    'ipFamilies',
    'ipFamilyPolicy',
    'ports',
    'sessionAffinity',
    'type',
  ]);
  t.is(inside.spec.ports?.[0]?.nodePort, undefined);
  t.deepEqual(inside.status, {loadBalancer: {}});
  const name = (await patch('turning', {type: 'ExternalName', externalName: 'x.example'})).json<Service>();
  t.is(name.spec.clusterIP, undefined);
  t.is((await patch('turning', {type: 'ClusterIP'})).json<Service>().spec['externalName'], undefined);
});

test('the node ports of the old type go although ports come, go and move along with the type', async (t) => {
  const ports = [
    {name: 'a', port: 1},
    {name: 'b', port: 2},
  ];
  const changes: [string, (known: object[]) => object[]][] = [
    ['less', ([a]) => [a!]],
    ['moved', ([a, b]) => [b!, a!]],
    ['more', (known) => [...known, {name: 'c', port: 3}]],
  ];
  for (const [name, change] of changes) {
    const {spec} = await made(`type-${name}`, {type: 'NodePort', ports});
    const changed = await patch(`type-${name}`, {type: 'ClusterIP', ports: change(spec.ports!)});
    t.is(changed.status, 200, name);
    t.true(
      changed.json<Service>().spec.ports!.every(({nodePort}) => nodePort === undefined),
      name,
    );
  }
  const {spec} = await made('type-mistaken', {type: 'NodePort', ports});
  const mistaken = [...spec.ports!, {name: 'c', port: 3, nodePort: 30999}];
  t.deepEqual(
    faultyFields(await patch('type-mistaken', {type: 'ClusterIP', ports: mistaken})),
    [0, 1, 2].map((index) => `spec.ports[${index}].nodePort`),
  );
});

test('a load balancer that is told to allocate no more keeps the node ports that it has, until they are taken out', async (t) => {
  const {spec} = await made('allocated', {type: 'LoadBalancer', ports: port80});
  const kept = (await patch('allocated', {allocateLoadBalancerNodePorts: false})).json<Service>();
  t.is(kept.spec.ports![0]!.nodePort, spec.ports![0]!.nodePort);
  const without = (await patch('allocated', {ports: port80})).json<Service>();
  t.is(without.spec.ports![0]!.nodePort, undefined);
});

test('the class of a load balancer stays', async (t) => {
  await made('classed', {type: 'LoadBalancer', loadBalancerClass: 'a', ports: port80});
  t.deepEqual(faultyFields(await patch('classed', {loadBalancerClass: 'b'})), ['spec.loadBalancerClass']);
});

test('a load balancer reports addresses or names', async (t) => {
  await made('reported', {type: 'LoadBalancer', ports: port80});
  const report = (ingress: object[]) =>
    client().patch(`${path}/reported/status`, {status: {loadBalancer: {ingress}}, spec: {type: 'ClusterIP'}});
  t.deepEqual(faultyFields(await report([{ip: 'x'}, {hostname: '192.0.2.1'}])), [
    'status.loadBalancer.ingress[0].ip',
    'status.loadBalancer.ingress[1].hostname',
  ]);
  const reported = (await report([{ip: '192.0.2.9'}, {hostname: 'lb.example'}])).json<Service>();
  t.is(reported.spec['type'], 'LoadBalancer');
  const row = (await tableRows(client(), path)).find(({Name: name}) => name === 'reported')!;
  t.is(row['External-IP'], '192.0.2.9,lb.example');
  t.is(row['Port(s)'], `80:${reported.spec.ports![0]!.nodePort}/TCP`);
});

test('the Table of services has a row for each type', async (t) => {
  await made('row-inside', {ports: [{port: 443, protocol: 'TCP'}], selector: {a: 'b'}, externalIPs: ['192.0.2.3']});
  await made('row-name', {type: 'ExternalName', externalName: 'x.example'});
  await made('row-pending', {type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: port80});
  const rows = new Map((await tableRows(client(), path)).map((row) => [row['Name'], row]));
  t.like(rows.get('row-inside'), {Type: 'ClusterIP', 'External-IP': '192.0.2.3', 'Port(s)': '443/TCP', Selector: 'a=b'});
  t.like(rows.get('row-name'), {'Cluster-IP': '<none>', 'External-IP': 'x.example', 'Port(s)': '<none>', Selector: '<none>'});
  t.like(rows.get('row-pending'), {'External-IP': '<pending>', 'Port(s)': '80/TCP'});
});
