import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import test from 'ava';
import {canonicalSubsets} from '../../../../plugins/families/endpoints/canonical-endpoints.js';
import {ServiceProxy} from '../../../../plugins/resources/core-services/service-proxy.js';
import type {ApiObject, ConnectRequest, ResourceClient} from '../../../../sdk/index.js';
import {faultyFields, servedGroup, tableRows} from '../served-group.js';

const client = servedGroup(test);
const path = '/api/v1/namespaces/default/endpoints';
const endpoints = (name: string, subsets: object[]) => ({apiVersion: 'v1', kind: 'Endpoints', metadata: {name}, subsets});

test('endpoints are stored as they were sent, and controllers bring them into one form', async (t) => {
  const sent = [
    {
      addresses: [{ip: '10.0.0.2'}, {ip: '10.0.0.1'}],
      ports: [
        {name: 'b', port: 80, protocol: 'TCP'},
        {name: 'a', port: 443, protocol: 'TCP'},
      ],
    },
    {addresses: [{ip: '10.0.0.1'}], notReadyAddresses: [{ip: '10.0.0.3'}], ports: [{name: 'b', port: 80, protocol: 'TCP'}]},
  ];
  const made = (await client().post(path, endpoints('mixed', sent))).json<ApiObject>();
  t.deepEqual(made['subsets'] as unknown, sent);
  const canonical = [
    {
      addresses: [{ip: '10.0.0.1'}, {ip: '10.0.0.2'}],
      notReadyAddresses: [{ip: '10.0.0.3'}],
      ports: [{name: 'b', port: 80, protocol: 'TCP'}],
    },
    {addresses: [{ip: '10.0.0.1'}, {ip: '10.0.0.2'}], ports: [{name: 'a', port: 443, protocol: 'TCP'}]},
  ];
  t.deepEqual(canonicalSubsets(sent), canonical);
  t.deepEqual(canonicalSubsets([...sent].reverse()), canonical);
});

test('an address that is not ready in one place is not ready', (t) => {
  t.deepEqual(
    canonicalSubsets([{addresses: [{ip: '10.0.0.1'}], notReadyAddresses: [{ip: '10.0.0.1'}], ports: [{port: 1, protocol: 'TCP'}]}]),
    [{notReadyAddresses: [{ip: '10.0.0.1'}], ports: [{port: 1, protocol: 'TCP'}]}],
  );
  t.deepEqual(canonicalSubsets([{addresses: [{ip: '10.0.0.1'}]}]), [{addresses: [{ip: '10.0.0.1'}]}]);
});

test('addresses and ports of endpoints are checked', async (t) => {
  const subsets = [
    {},
    {addresses: [{ip: '127.0.0.1', hostname: 'A'}], ports: [{port: 0}, {name: 'x', port: 1, protocol: 'Q', appProtocol: '!'}]},
  ];
  t.deepEqual(faultyFields(await client().post(path, endpoints('bad', subsets))), [
    'subsets[0]',
    'subsets[1].addresses[0].hostname',
    'subsets[1].addresses[0].ip',
    'subsets[1].ports[0].name',
    'subsets[1].ports[0].port',
    'subsets[1].ports[1].protocol',
    'subsets[1].ports[1].appProtocol',
  ]);
});

test('PUT makes endpoints that are not there', async (t) => {
  t.is((await client().put(`${path}/put`, endpoints('put', []))).status, 201);
});

test('the Table of endpoints shows the first three', async (t) => {
  await client().post(
    path,
    endpoints('shown', [{addresses: ['1', '2', '3', '4'].map((last) => ({ip: `10.0.0.${last}`})), ports: [{port: 80}]}]),
  );
  await client().post(path, endpoints('six', [{addresses: [{ip: 'fd00::1'}], ports: [{port: 80}]}]));
  const rows = new Map((await tableRows(client(), path)).map((row) => [row['Name'], row['Endpoints']]));
  t.is(rows.get('shown'), '10.0.0.1:80,10.0.0.2:80,10.0.0.3:80 + 1 more...');
  t.is(rows.get('six'), '[fd00::1]:80');
});

test('a service without endpoints cannot be proxied to', async (t) => {
  const services = '/api/v1/namespaces/default/services';
  await client().post(services, {apiVersion: 'v1', kind: 'Service', metadata: {name: 'lonely'}, spec: {ports: [{port: 80}]}});
  await client().post(path, endpoints('lonely', []));
  const refused = await client().get(`${services}/lonely:80/proxy/`);
  t.is(refused.status, 503);
  t.is(refused.json<{message: string}>().message, 'no endpoints available for service "lonely:80"');
  t.is((await client().get(`${services}/lonely:81/proxy/`)).status, 503);
  t.is((await client().get(`${services}/none/proxy/`)).status, 404);
});

test('a service is proxied to one of the addresses behind it', async (t) => {
  const backend = createServer((incoming, response) => response.end(incoming.url)).listen(0, '127.0.0.1');
  await once(backend, 'listening');
  const {port} = backend.address() as AddressInfo;
  const objects: Record<string, object> = {
    services: {metadata: {}, spec: {ports: [{name: 'web', port: 80}]}},
    endpoints: {
      metadata: {},
      subsets: [
        {
          addresses: [{ip: '127.0.0.1'}],
          ports: [
            {name: 'web', port},
            {name: 'other', port: 1},
          ],
        },
      ],
    },
  };
  // Endpoints at this machine are not accepted from outside, so they are handed in here.
  const resources = {get: (ref: {resource: string}) => Promise.resolve(objects[ref.resource])} as unknown as ResourceClient;
  const proxy = new ServiceProxy(resources, {clusterIpRanges: [], nodePortRange: '', proxyToLoopback: true});
  const front = createServer((incoming, response) => {
    const request = {
      name: 'http:web:80',
      namespace: 'default',
      method: 'GET',
      path: '/x',
      incoming,
      signal: new AbortController().signal,
    } as unknown as ConnectRequest;
    void proxy.connect(request, response);
  }).listen(0, '127.0.0.1');
  await once(front, 'listening');
  t.teardown(() => {
    front.close();
    backend.close();
  });
  const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}/api/v1/namespaces/default/services/http:web:80/proxy/x?y=1`;
  t.is(await (await fetch(url)).text(), '/x?y=1');
});
