import test, {type ExecutionContext} from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import type {Ingress, IngressClass} from '@orch-api/orch/types/unchecked/networking/v1';
import {causesOf} from '../status-causes.js';
import {tableRow} from '../table-row.js';

const ingresses = '/apis/networking.orch/v1/namespaces/default/ingresses';
const classes = '/apis/networking.orch/v1/ingressclasses';
let server: TestServer;
test.before(async () => {
  server = await startTestServer();
});
test.after.always(() => server?.stop());

const backend = {service: {name: 'web', port: {number: 80}}};
const rule = (path: object, host = 'example.com') => ({host, http: {paths: [{path: '/', pathType: 'Prefix', backend, ...path}]}});
const post = (name: string, spec: object, annotations: Record<string, string> = {}) =>
  server.client.post(ingresses, {metadata: {name, annotations}, spec});

async function create(t: ExecutionContext, name: string, spec: object): Promise<Ingress> {
  const response = await post(name, spec);
  t.is(response.status, 201, response.body.toString());
  return response.json<Ingress>();
}

test('an ingress with a default backend, wildcard hosts and resource backends is accepted', async (t) => {
  const resource = {resource: {apiGroup: 'example.com', kind: 'Bucket', name: 'static'}};
  await create(t, 'whole', {
    defaultBackend: {service: {name: 'web', port: {name: 'http'}}},
    rules: [rule({}, '*.example.com'), rule({backend: resource, path: '', pathType: 'ImplementationSpecific'}), {host: 'bare.example.com'}],
    tls: [{hosts: ['*.example.com', 'a.example.com'], secretName: 'certificate'}],
  });
});

const at = 'spec.rules[0].http.paths[0]';
const faulty: [spec: object, ...faults: (string | RegExp)[]][] = [
  [{}, 'spec: Invalid value: []: either `defaultBackend` or `rules` must be specified'],
  [{rules: [rule({}, '10.0.0.1')]}, 'spec.rules[0].host: Invalid value: "10.0.0.1": must be a DNS name, not an IP address'],
  [
    {rules: [rule({}, 'a.*.example.com')]},
    /^spec\.rules\[0\]\.host: Invalid value: "a\.\*\.example\.com": a wildcard DNS-1123 subdomain must start with '\*\.'/,
  ],
  [{rules: [rule({}, 'UPPER')]}, /^spec\.rules\[0\]\.host: Invalid value: "UPPER": a lowercase RFC 1123 subdomain/],
  [{rules: [{http: {}}]}, 'spec.rules[0].http.paths: Required value'],
  [{rules: [rule({pathType: undefined})]}, `${at}.pathType: Required value: pathType must be specified`],
  [
    {rules: [rule({pathType: 'Regex'})]},
    `${at}.pathType: Unsupported value: "Regex": supported values: "Exact", "ImplementationSpecific", "Prefix"`,
  ],
  [
    {rules: [rule({path: 'a//b%2F/..'})]},
    `${at}.path: Invalid value: "a//b%2F/..": must be an absolute path`,
    `${at}.path: Invalid value: "a//b%2F/..": must not contain '//'`,
    `${at}.path: Invalid value: "a//b%2F/..": must not contain '%2F'`,
    `${at}.path: Invalid value: "a//b%2F/..": cannot end with '/..'`,
  ],
  [{rules: [rule({backend: {}})]}, `${at}.backend: Invalid value: "": resource or service backend is required`],
  [
    {rules: [rule({backend: {...backend, resource: {kind: 'A', name: 'b'}}})]},
    `${at}.backend: Invalid value: "": cannot set both resource and service backends`,
  ],
  [
    {defaultBackend: {resource: {kind: '', name: 'a/b'}}},
    'spec.defaultBackend.resource.kind: Required value: kind is required',
    `spec.defaultBackend.resource.name: Invalid value: "a/b": may not contain '/'`,
  ],
  [{defaultBackend: {service: {name: 'web'}}}, 'spec.defaultBackend: Required value: port name or number is required'],
  [
    {defaultBackend: {service: {name: 'web', port: {name: 'http', number: 80}}}},
    'spec.defaultBackend: Invalid value: "": cannot set both port name & port number',
  ],
  [
    {defaultBackend: {service: {name: '1web', port: {number: 70_000}}}},
    /^spec\.defaultBackend\.service\.name: Invalid value: "1web": a DNS-1035 label/,
    'spec.defaultBackend.service.port.number: Invalid value: 70000: must be between 1 and 65535, inclusive',
  ],
  [
    {defaultBackend: backend, tls: [{hosts: ['*'], secretName: 'A'}]},
    /^spec\.tls\[0\]\.hosts\[0\]: Invalid value: "\*": a wildcard/,
    /^spec\.tls\[0\]\.secretName: Invalid value: "A"/,
  ],
  [{defaultBackend: backend, ingressClassName: 'Not a class'}, /^spec\.ingressClassName: Invalid value: "Not a class"/],
];

for (const [index, [spec, ...expected]] of faulty.entries()) {
  test(`an ingress with ${JSON.stringify(spec).slice(0, 120)} is refused`, async (t) => {
    const faults = causesOf(await post(`faulty-${index}`, spec));
    t.is(faults.length, expected.length, faults.join('\n'));
    for (const [position, pattern] of expected.entries()) {
      if (typeof pattern === 'string') t.is(faults[position], pattern);
      else t.regex(faults[position]!, pattern);
    }
  });
}

test('a new ingress names its class once', async (t) => {
  const annotations = {'orch/ingress.class': 'nginx'};
  t.deepEqual(causesOf(await post('twice', {defaultBackend: backend, ingressClassName: 'nginx'}, annotations)), [
    'annotations.orch/ingress.class: Invalid value: "nginx": can not be set when the class field is also set',
  ]);
  t.is((await post('once', {defaultBackend: backend}, annotations)).status, 201);
  t.is((await server.client.patch(`${ingresses}/once`, {spec: {ingressClassName: 'nginx'}})).status, 200);
});

test('the status says where an ingress is, in addresses and names', async (t) => {
  await create(t, 'status', {defaultBackend: backend});
  const patch = (ingress: object[]) => server.client.patch(`${ingresses}/status/status`, {status: {loadBalancer: {ingress}}});
  t.deepEqual(causesOf(await patch([{ip: '300.1.1.1'}, {hostname: '1.2.3.4'}])), [
    'status.loadBalancer.ingress[0].ip: Invalid value: "300.1.1.1": must be a valid IP address',
    'status.loadBalancer.ingress[1].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
  ]);
  t.is((await patch([{ip: '2001:db8::1'}, {hostname: 'lb.example.com'}])).status, 200);
});

test('a Table shows class, hosts and addresses of ingresses', async (t) => {
  await create(t, 'shown', {ingressClassName: 'nginx', tls: [{}], rules: ['a.io', 'b.io', 'c.io', 'd.io'].map((host) => rule({}, host))});
  await server.client.patch(`${ingresses}/shown/status`, {
    status: {loadBalancer: {ingress: [{hostname: 'lb.io'}, {ip: '10.0.0.9'}, {ip: '10.0.0.9'}]}},
  });
  t.deepEqual(await tableRow(server.client, `${ingresses}/shown`), [
    'shown',
    'nginx',
    'a.io,b.io,c.io + 1 more...',
    '10.0.0.9,lb.io',
    '80, 443',
    'AGE',
  ]);
  await create(t, 'plain', {defaultBackend: backend});
  t.deepEqual(await tableRow(server.client, `${ingresses}/plain`), ['plain', '<none>', '*', '', '80', 'AGE']);
});

test('a class names its controller for ever, and parameters in a scope', async (t) => {
  const parameters = {apiGroup: 'example.com', kind: 'Settings', name: 'all'};
  const made = await server.client.post(classes, {metadata: {name: 'nginx'}, spec: {controller: 'example.com/nginx', parameters}});
  t.is(made.status, 201);
  t.is(made.json<IngressClass>().spec?.parameters?.scope, 'Cluster');
  t.deepEqual(await tableRow(server.client, `${classes}/nginx`), ['nginx', 'example.com/nginx', 'Settings.example.com/all', 'AGE']);
  t.deepEqual(causesOf(await server.client.patch(`${classes}/nginx`, {spec: {controller: 'example.com/other'}})), [
    'spec.controller: Invalid value: "example.com/other": field is immutable',
  ]);
  const faultsOf = async (spec: object) => causesOf(await server.client.post(classes, {metadata: {name: 'faulty'}, spec}));
  t.deepEqual(await faultsOf({}), ['spec.controller: Required value']);
  t.deepEqual(await faultsOf({controller: 'nginx'}), [
    'spec.controller: Invalid value: "nginx": must be a domain-prefixed path (such as "acme.io/foo")',
  ]);
  t.deepEqual(await faultsOf({controller: `a.io/${'x'.repeat(250)}`}), ['spec.controller: Too long: must have at most 250 bytes']);
  t.deepEqual(await faultsOf({controller: 'a.io/b', parameters: {...parameters, scope: 'Namespace'}}), [
    "spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'",
  ]);
  t.deepEqual(await faultsOf({controller: 'a.io/b', parameters: {...parameters, namespace: 'x'}}), [
    "spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'",
  ]);
  t.deepEqual(await faultsOf({controller: 'a.io/b', parameters: {scope: 'World'}}), [
    'spec.parameters.kind: Required value: kind is required',
    'spec.parameters.name: Required value: name is required',
    'spec.parameters.scope: Unsupported value: "World": supported values: "Cluster", "Namespace"',
  ]);
});
