import test from 'ava';
import {
  notFound,
  serviceUnavailable,
  type ApiObject,
  type ListOptions,
  type ResourceClient,
  type ResourceRef,
} from '../../../../sdk/index.js';
import {answer, webhookService, type WebhookHandler} from '../../../helpers/webhook-service.js';
import {caller, failure} from './caller.js';

const names = ['hooks.tools.svc'];
const told: WebhookHandler = (_body, response, {headers, url}) => answer(response, {host: headers.host, path: url});

/** Endpoints at this machine are not accepted from outside, so they are handed in here. */
function objects(all: {service?: object; endpoints?: object; slices?: object[]}): ResourceClient {
  const get = async ({resource}: ResourceRef, namespace: string, name: string) => {
    const found = {services: all.service, endpoints: all.endpoints}[resource];
    if (!found || namespace !== 'tools' || name !== 'hooks') throw notFound({group: '', resource, name});
    return found as ApiObject;
  };
  const list = async ({resource, group}: ResourceRef, namespace: string, {labelSelector}: ListOptions = {}) => {
    const isMeant =
      resource === 'endpointslices' && group === 'discovery.orch' && namespace === 'tools' && labelSelector === 'orch/service-name=hooks';
    return {apiVersion: 'v1', kind: 'List', metadata: {}, items: isMeant ? (all.slices ?? []) : []};
  };
  return {get, list} as unknown as ResourceClient;
}

const service = (spec: object = {}) => ({
  metadata: {},
  spec: {type: 'ClusterIP', clusterIP: 'None', ports: [{name: 'web', port: 443}], ...spec},
});
const reference = {namespace: 'tools', name: 'hooks'};

test('a service is called at an address that is ready behind its port, under its own name', async (t) => {
  const {port, ca} = await webhookService(t, told, {names});
  const subsets = [
    {notReadyAddresses: [{ip: '127.0.0.9'}], ports: [{name: 'web', port: 1}]},
    {
      addresses: [{ip: '127.0.0.1'}],
      ports: [
        {name: 'other', port: 1},
        {name: 'web', port},
      ],
    },
  ];
  const webhooks = caller(t, objects({service: service(), endpoints: {metadata: {}, subsets}}));
  const call = (more: object = {}) => webhooks.call({service: {...reference, ...more}, caBundle: ca, timeoutMillis: 5000}, {});
  t.deepEqual(await call(), {host: 'hooks.tools.svc', path: '/?timeout=5s'});
  t.deepEqual(await call({path: '/convert/all'}), {host: 'hooks.tools.svc', path: '/convert/all?timeout=5s'});
  t.deepEqual(await call({path: '//elsewhere/x'}), {host: 'hooks.tools.svc', path: '/elsewhere/x?timeout=5s'});
});

test('slashes that follow each other in an address are one, as Kubernetes sends them; one at the end stays', async (t) => {
  const {port, ca} = await webhookService(t, told, {names: ['localhost']});
  const webhooks = caller(t, objects({}));
  const call = (path: string) => webhooks.call({url: `https://localhost:${port}${path}`, caBundle: ca, timeoutMillis: 5000}, {});
  t.like(await call('//validate-toys'), {path: '/validate-toys?timeout=5s'});
  t.like(await call('/a//b/'), {path: '/a/b/?timeout=5s'});
});

test('the port of a service is chosen by its number', async (t) => {
  const {port, ca} = await webhookService(t, told, {names});
  const ports = [
    {name: 'web', port: 443},
    {name: 'hooks', port: 8443},
  ];
  const endpoints = {
    metadata: {},
    subsets: [
      {
        addresses: [{ip: '127.0.0.1'}],
        ports: [
          {name: 'hooks', port},
          {name: 'web', port: 1},
        ],
      },
    ],
  };
  const webhooks = caller(t, objects({service: service({ports}), endpoints}));
  t.deepEqual(await webhooks.call({service: {...reference, port: 8443}, caBundle: ca, timeoutMillis: 5000}, {}), {
    host: 'hooks.tools.svc:8443',
    path: '/?timeout=5s',
  });
  t.deepEqual(await failure(webhooks.call({service: {...reference, port: 99}, timeoutMillis: 5000}, {})), {
    code: 'NoBackend',
    message: 'no service port 99 found for service "tools/hooks"',
  });
});

test('slices tell what is behind a service too', async (t) => {
  const {port, ca} = await webhookService(t, told, {names});
  const slice = (address: string, ready: boolean | undefined) => ({
    metadata: {},
    endpoints: [{addresses: [address], conditions: ready === undefined ? {} : {ready}}],
    ports: [{name: 'web', port}],
  });
  const webhooks = caller(t, objects({service: service(), slices: [slice('127.0.0.9', false), slice('127.0.0.1', undefined)]}));
  t.deepEqual(await webhooks.call({service: reference, caBundle: ca, timeoutMillis: 5000}, {}), {
    host: 'hooks.tools.svc',
    path: '/?timeout=5s',
  });
});

test('a service without any endpoints is called at its own address', async (t) => {
  const {port, ca} = await webhookService(t, told, {names});
  const webhooks = caller(t, objects({service: service({clusterIP: '127.0.0.1', ports: [{port}]})}));
  t.deepEqual(await webhooks.call({service: {...reference, port}, caBundle: ca, timeoutMillis: 5000}, {}), {
    host: `hooks.tools.svc:${port}`,
    path: '/?timeout=5s',
  });
});

test('a service that stands for a name elsewhere is called there, and still shows its own name', async (t) => {
  const {port, ca} = await webhookService(t, told, {names});
  const elsewhere = {metadata: {}, spec: {type: 'ExternalName', externalName: 'localhost.'}};
  const call = (caBundle: string, known = names) =>
    caller(t, objects({service: elsewhere})).call(
      {service: {...reference, port}, caBundle, timeoutMillis: 5000, ...(known === names ? {} : {serverName: known[0]!})},
      {},
    );
  t.deepEqual(await call(ca), {host: `hooks.tools.svc:${port}`, path: '/?timeout=5s'});
  t.like(await failure(call(ca, ['other.tools.svc'])), {code: 'Untrusted'});
  const wrong = await webhookService(t, told, {names: ['localhost']});
  const webhooks = caller(t, objects({service: elsewhere}));
  t.like(await failure(webhooks.call({service: {...reference, port: wrong.port}, caBundle: wrong.ca, timeoutMillis: 5000}, {})), {
    code: 'Untrusted',
  });
});

test('a service that is not there, or has nothing behind it, is told in words', async (t) => {
  const call = (known: Parameters<typeof objects>[0]) =>
    failure(caller(t, objects(known)).call({service: reference, timeoutMillis: 5000}, {}));
  const none = {code: 'NoBackend', message: 'no endpoints available for service "tools/hooks"'};
  t.deepEqual(await call({}), {code: 'NoBackend', message: 'service "tools/hooks" not found'});
  t.deepEqual(await call({service: service()}), none);
  t.deepEqual(await call({service: service({clusterIP: '127.0.0.1'}), endpoints: {metadata: {}}}), none);
  t.deepEqual(await call({service: service({clusterIP: '127.0.0.1'}), slices: [{metadata: {}, endpoints: null, ports: null}]}), none);
});

test('a store that is away, or answers too late, is told as the reason', async (t) => {
  const away = {get: () => Promise.reject(serviceUnavailable('the store is away'))} as unknown as ResourceClient;
  t.deepEqual(await failure(caller(t, away).call({service: reference, timeoutMillis: 5000}, {})), {
    code: 'NoBackend',
    message: 'the endpoints of the service cannot be read: the store is away',
  });
  const silent = {get: () => new Promise(() => undefined)} as unknown as ResourceClient;
  t.deepEqual(await failure(caller(t, silent).call({service: reference, timeoutMillis: 50}, {})), {
    code: 'Timeout',
    message: 'no answer within 0.05 s',
  });
});
