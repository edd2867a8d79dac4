import test from 'ava';
import {warningsOf} from '../../../semantics/answers.js';
import {causesOf, servedGroup} from '../../resources/served-group.js';

const newest = servedGroup(test, {release: '1.36', platform: 'kubernetes'});
/** The rules are there, and the gate is off. */
const lenient = servedGroup(test, {release: '1.33', platform: 'kubernetes'});
const older = servedGroup(test, {release: '1.32', platform: 'kubernetes'});
const core = '/api/v1/namespaces/default';
const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
const policies = '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies';
const ingresses = '/apis/networking.k8s.io/v1/namespaces/default/ingresses';
const containers = [{name: 'a', image: 'a'}];
let count = 0;
const named = (members: object) => ({metadata: {name: `object-${(count += 1)}`}, ...members});
const balancer = (members: object) => ({spec: {type: 'LoadBalancer', ports: [{port: 80}], ...members}});
const policyOf = (ipBlock: object) => ({spec: {podSelector: {}, egress: [{to: [{ipBlock}]}]}});
const anyIp = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const anyCidr = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

/** As a kube-apiserver 1.36 answers. */
const refused: [string, string, object, string[]][] = [
  [
    'a service',
    `${core}/services`,
    {spec: {ports: [{port: 80}], externalIPs: ['010.0.0.1', '::ffff:1.2.3.4', '10.0.0.1']}},
    [
      'spec.externalIPs[0]: Invalid value: "010.0.0.1": must not have leading 0s',
      'spec.externalIPs[1]: Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address',
    ],
  ],
  [
    'a load balancer',
    `${core}/services`,
    balancer({loadBalancerSourceRanges: ['10.0.0.1/8', '10.0.0.0/08', '::ffff:1.2.3.0/120', '2001:DB8::/64']}),
    [
      'spec.loadBalancerSourceRanges[0]: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length',
      'spec.loadBalancerSourceRanges[1]: Invalid value: "10.0.0.0/08": must not have leading 0s in IP or prefix length',
      'spec.loadBalancerSourceRanges[2]: Invalid value: "::ffff:1.2.3.0/120": must not have an IPv4-mapped IPv6 address',
    ],
  ],
  [
    'a node',
    '/api/v1/nodes',
    {spec: {podCIDRs: ['10.0.0.1/8', '2001:DB8::/64']}},
    ['spec.podCIDRs[0]: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length'],
  ],
  [
    'a pod',
    `${core}/pods`,
    {spec: {containers, dnsConfig: {nameservers: ['010.0.0.1']}, hostAliases: [{ip: '::ffff:1.2.3.4', hostnames: ['a']}]}},
    [
      'spec.dnsConfig.nameservers[0]: Invalid value: "010.0.0.1": must not have leading 0s',
      'spec.hostAliases[0].ip: Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address',
    ],
  ],
  [
    'a slice of IPv6',
    slices,
    {addressType: 'IPv6', endpoints: [{addresses: ['2001:DB8::1']}, {addresses: ['10.0.0.1']}]},
    [
      'endpoints[0].addresses[0]: Invalid value: "2001:DB8::1": must be in canonical form ("2001:db8::1")',
      'endpoints[1].addresses: Invalid value: "10.0.0.1": must be an IPv6 address',
    ],
  ],
  [
    'a slice of IPv4',
    slices,
    {addressType: 'IPv4', endpoints: [{addresses: ['2001:db8::1']}, {addresses: ['010.0.0.1']}, {addresses: ['x']}]},
    [
      'endpoints[0].addresses: Invalid value: "2001:db8::1": must be an IPv4 address',
      'endpoints[1].addresses[0]: Invalid value: "010.0.0.1": must not have leading 0s',
      `endpoints[2].addresses[0]: Invalid value: "x": ${anyIp}`,
    ],
  ],
  [
    'a network policy',
    policies,
    policyOf({cidr: '10.0.0.1/8', except: ['10.1.0.1/16', 'x', '11.0.0.0/16']}),
    [
      'spec.egress[0].to[0].ipBlock.cidr: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length',
      'spec.egress[0].to[0].ipBlock.except[0]: Invalid value: "10.1.0.1/16": must not have bits set beyond the prefix length',
      `spec.egress[0].to[0].ipBlock.except[1]: Invalid value: "x": ${anyCidr}`,
      'spec.egress[0].to[0].ipBlock.except[2]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`',
    ],
  ],
];
for (const [title, path, members, causes] of refused) {
  test(`${title} with addresses that programs read in different ways is refused by 1.36`, async (t) => {
    t.deepEqual(causesOf(await newest().post(path, named(members))), causes);
  });
}

const warned: [string, string, object, string[]][] = [
  [
    'a service',
    `${core}/services`,
    {spec: {ports: [{port: 80}], externalIPs: ['2001:DB8::1', '10.0.0.1']}},
    [
      'spec.externalIPs[0]: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
      'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    ],
  ],
  [
    'a load balancer',
    `${core}/services`,
    balancer({loadBalancerIP: '010.0.0.1', loadBalancerSourceRanges: ['2001:DB8::/64']}),
    [
      'spec.loadBalancerIP: non-standard IP address "010.0.0.1" is invalid: use "10.0.0.1"',
      'spec.loadBalancerSourceRanges[0]: IPv6 CIDR value "2001:DB8::/64" should be in RFC 5952 canonical format ("2001:db8::/64")',
    ],
  ],
  [
    'a node',
    '/api/v1/nodes',
    {spec: {podCIDRs: ['2001:DB8::/64']}},
    ['spec.podCIDRs[0]: IPv6 CIDR value "2001:DB8::/64" should be in RFC 5952 canonical format ("2001:db8::/64")'],
  ],
  [
    'a network policy',
    policies,
    policyOf({cidr: '2001:DB8::/32'}),
    ['spec.egress[0].to[0].ipBlock.cidr: IPv6 CIDR value "2001:DB8::/32" should be in RFC 5952 canonical format ("2001:db8::/32")'],
  ],
  [
    'a slice of names',
    slices,
    {addressType: 'FQDN', endpoints: [{addresses: ['a.example']}]},
    ['spec.addressType: FQDN endpoints are deprecated'],
  ],
];
for (const [title, path, members, warnings] of warned) {
  test(`${title} with addresses in an unusual form is warned of`, async (t) => {
    const response = await newest().post(path, named(members));
    t.is(response.status, 201, response.body.toString());
    t.deepEqual(warningsOf(response), warnings);
  });
}

test('blocks that could mean an address, and those with leading zeros, are taken with a warning while the gate is off', async (t) => {
  const response = await lenient().post(policies, named(policyOf({cidr: '10.0.0.1/8', except: ['10.01.0.0/16', '::ffff:10.2.0.0/112']})));
  t.is(response.status, 201, response.body.toString());
  const block = 'spec.egress[0].to[0].ipBlock';
  t.deepEqual(warningsOf(response), [
    `${block}.cidr: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)`,
    `${block}.except[0]: non-standard CIDR value "10.01.0.0/16" is invalid: use "10.1.0.0/16"`,
    `${block}.except[1]: non-standard CIDR value "::ffff:10.2.0.0/112" is invalid: use "10.2.0.0/16"`,
  ]);
});

test('addresses in the status of load balancers are warned of, and those that were there before may stay', async (t) => {
  for (const [path, members] of [
    [`${core}/services`, balancer({})],
    [ingresses, {spec: {defaultBackend: {service: {name: 'a', port: {number: 80}}}}}],
  ] as const) {
    const made = named(members);
    await newest().post(path, made);
    const status = `${path}/${made.metadata.name}/status`;
    const given = (...ips: string[]) => newest().patch(status, {status: {loadBalancer: {ingress: ips.map((ip) => ({ip}))}}});
    t.deepEqual(causesOf(await given('2001:DB8::1', '010.0.0.1')), [
      'status.loadBalancer.ingress[1].ip: Invalid value: "010.0.0.1": must not have leading 0s',
    ]);
    t.deepEqual(warningsOf(await given('2001:DB8::1')), [
      'status.loadBalancer.ingress[0]: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
    ]);
  }
});

test('before 1.33 addresses are refused in the words of each field, and nothing is said of their form', async (t) => {
  const policy = await older().post(policies, named(policyOf({cidr: 'x'})));
  t.deepEqual(causesOf(policy), ['spec.egress[0].to[0].ipBlock.cidr: Invalid value: "x": not a valid CIDR']);
  const node = await older().post('/api/v1/nodes', named({spec: {podCIDRs: ['2001:DB8::/64']}}));
  t.is(node.status, 201, node.body.toString());
  t.deepEqual(warningsOf(node), []);
});
