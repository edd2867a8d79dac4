import type {ExecutionContext} from 'ava';
import type {Status} from '@orch-api/orch/sdk';
import {testOnEachStore, type StoreContext} from '../../helpers/each-store.js';

const storeTest = testOnEachStore({platform: 'kubernetes'});

type Json = Record<string, unknown>;
interface Pod {
  metadata: {annotations?: Record<string, string>};
  spec: {containers: {name: string; resources: Json}[]; initContainers?: {name: string; resources: Json}[]};
}

const container = (name: string, requests: Json, limits: Json = {}) => ({name, image: 'x', resources: {requests, limits}});
const pod = (containers: object[], initContainers: object[] = []) => ({metadata: {name: 'p'}, spec: {containers, initContainers}});
const claim = (storage: string) => ({metadata: {name: 'c'}, spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage}}}});

async function limit(t: ExecutionContext, {client, path}: StoreContext, ...limits: object[]): Promise<void> {
  const answer = await client.post(path('limitranges'), {metadata: {name: 'limits'}, spec: {limits}});
  t.is(answer.status, 201, answer.body.toString());
  t.is(answer.headers['warning'], undefined, 'limits are enforced');
}

async function refused(t: ExecutionContext, {client, path}: StoreContext, resource: string, body: object, detail: string): Promise<void> {
  const answer = await client.post(path(resource), body);
  t.is(answer.status, 403, answer.body.toString());
  t.is(answer.json<Status>().message, `${resource} "${resource === 'pods' ? 'p' : 'c'}" is forbidden: ${detail}`);
}

storeTest('[B-ADM-3] containers get the default requests and limits of their namespace', async (t, context) => {
  const {client, path} = context;
  await limit(t, context, {type: 'Container', default: {cpu: '500m', memory: '1Gi'}, defaultRequest: {cpu: '100m', memory: '256Mi'}});
  const made = await client.post(
    path('pods'),
    pod([{name: 'plain', image: 'x'}, container('own', {cpu: '200m', memory: '300Mi'}, {cpu: '1'})], [{name: 'init', image: 'x'}]),
  );
  t.is(made.status, 201, made.body.toString());
  const {metadata, spec} = made.json<Pod>();
  const all = {requests: {cpu: '100m', memory: '256Mi'}, limits: {cpu: '500m', memory: '1Gi'}};
  t.deepEqual(
    [...spec.containers, ...spec.initContainers!].map(({resources}) => resources),
    [all, {requests: {cpu: '200m', memory: '300Mi'}, limits: {cpu: '1', memory: '1Gi'}}, all],
  );
  t.is(
    metadata.annotations?.['kubernetes.io/limit-ranger'],
    'LimitRanger plugin set: cpu, memory request for container plain; cpu, memory limit for container plain; memory limit for container own; ' +
      'cpu, memory request for init container init; cpu, memory limit for init container init',
  );
  const complete = pod([container('own', {cpu: '200m', memory: '1Mi'}, {cpu: '1', memory: '1Mi'})]);
  const second = await client.post(path('pods'), {...complete, metadata: {name: 'q'}});
  t.is(second.json<Pod>().metadata.annotations, undefined);
});

storeTest('[B-ADM-2] containers outside of the limits are refused, with all faults at once', async (t, context) => {
  const {client, path} = context;
  await limit(t, context, {
    type: 'Container',
    min: {cpu: '100m', memory: '64Mi'},
    max: {cpu: '1', memory: '1Gi'},
    maxLimitRequestRatio: {cpu: '4'},
    default: {memory: '128Mi'},
    defaultRequest: {memory: '128Mi'},
  });
  const fine = {cpu: '500m', memory: '128Mi'};
  t.is((await client.post(`${path('pods')}?dryRun=All`, pod([container('a', fine, fine)]))).status, 201);
  await refused(
    t,
    context,
    'pods',
    pod([container('a', {...fine, cpu: '2'}, {...fine, cpu: '2'})]),
    'maximum cpu usage per Container is 1, but limit is 2',
  );
  await refused(
    t,
    context,
    'pods',
    pod([container('a', {cpu: '10m', memory: '1Mi'}, {cpu: '10m', memory: '2Gi'})], [container('i', fine, {...fine, cpu: '3'})]),
    '[minimum cpu usage per Container is 100m, but request is 10m, minimum memory usage per Container is 64Mi, but request is 1Mi, ' +
      'maximum memory usage per Container is 1Gi, but limit is 2Gi, maximum cpu usage per Container is 1, but limit is 3, ' +
      'cpu max limit to request ratio per Container is 4, but provided ratio is 6.000000]',
  );
});

storeTest('pods are limited as a whole: sums of containers, or the largest init container', async (t, context) => {
  await limit(t, context, {type: 'Pod', min: {memory: '1Mi'}, max: {cpu: '2', memory: '1Gi'}, maxLimitRequestRatio: {memory: '2'}});
  const memory = (amount: string) => ({cpu: '100m', memory: amount});
  await refused(
    t,
    context,
    'pods',
    pod([container('a', memory('512Mi'), memory('512Mi')), container('b', memory('513Mi'), memory('513Mi'))]),
    'maximum memory usage per Pod is 1Gi, but limit is 1025Mi',
  );
  await refused(
    t,
    context,
    'pods',
    pod([container('a', memory('10Mi'), memory('10Mi'))], [container('i', memory('10Mi'), {cpu: '3', memory: '10Mi'})]),
    'maximum cpu usage per Pod is 2, but limit is 3',
  );
  await refused(
    t,
    context,
    'pods',
    pod([{name: 'a', image: 'x'}]),
    '[minimum memory usage per Pod is 1Mi.  No request is specified, maximum cpu usage per Pod is 2.  No limit is specified, ' +
      'maximum memory usage per Pod is 1Gi.  No limit is specified, ' +
      'memory max limit to request ratio per Pod is 2, but no request is specified or request is 0]',
  );
  await refused(
    t,
    context,
    'pods',
    pod([container('a', memory('10Mi'), memory('25Mi'))]),
    'memory max limit to request ratio per Pod is 2, but provided ratio is 2.500000',
  );
});

storeTest('claims are limited, also when they grow', async (t, context) => {
  const {client, path} = context;
  await limit(t, context, {type: 'PersistentVolumeClaim', min: {storage: '1Gi'}, max: {storage: '5Gi'}});
  const text = 'storage usage per PersistentVolumeClaim is';
  await refused(t, context, 'persistentvolumeclaims', claim('500Mi'), `minimum ${text} 1Gi, but request is 500Mi`);
  await refused(t, context, 'persistentvolumeclaims', claim('6Gi'), `maximum ${text} 5Gi, but request is 6Gi`);
  t.is((await client.post(path('persistentvolumeclaims'), claim('2Gi'))).status, 201);
  const labelled = await client.patch(`${path('persistentvolumeclaims')}/c`, {metadata: {labels: {a: 'b'}}});
  t.is(labelled.status, 200, labelled.body.toString());
  await client.delete(path('limitranges'));
  await limit(t, context, {type: 'PersistentVolumeClaim', max: {storage: '1Gi'}});
  const answer = await client.patch(`${path('persistentvolumeclaims')}/c`, {metadata: {labels: {a: 'c'}}});
  t.is(answer.status, 403);
  t.regex(answer.json<Status>().message!, /maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi$/);
});

storeTest('pods that are there may be changed whatever the limits have become', async (t, context) => {
  const {client, path} = context;
  t.is((await client.post(path('pods'), pod([{name: 'a', image: 'x'}]))).status, 201);
  await limit(t, context, {type: 'Container', max: {cpu: '1'}, default: {cpu: '1'}});
  const answer = await client.patch(`${path('pods')}/p`, {metadata: {labels: {a: 'b'}}});
  t.is(answer.status, 200, answer.body.toString());
  t.deepEqual(answer.json<Pod>().spec.containers[0]!.resources, {});
});

storeTest('a pod without containers is told what it lacks', async (t, context) => {
  await limit(t, context, {type: 'Container', default: {cpu: '1'}});
  for (const spec of [undefined, {}]) {
    const answer = await context.client.post(context.path('pods'), {metadata: {name: 'p'}, spec});
    t.is(answer.status, 422, answer.body.toString());
  }
});

storeTest('sidecars count with the containers that they run beside, also while others start', async (t, context) => {
  await limit(t, context, {type: 'Pod', max: {cpu: '2'}});
  const asks = (cpu: string) => ({cpu});
  const sidecar = {...container('s', asks('1'), asks('1')), restartPolicy: 'Always'};
  const detail = 'maximum cpu usage per Pod is 2, but limit is';
  await refused(t, context, 'pods', pod([container('a', asks('1500m'), asks('1500m'))], [sidecar]), `${detail} 2500m`);
  const before = pod([container('a', {}, {})], [sidecar, container('i', asks('1500m'), asks('1500m'))]);
  await refused(t, context, 'pods', before, `${detail} 2500m`);
  const {client, path} = context;
  const after = pod([container('a', {}, {})], [container('i', asks('1500m'), asks('1500m')), sidecar]);
  const made = await client.post(path('pods'), after);
  t.is(made.status, 201, made.body.toString());
});

storeTest('cpu and memory of a pod as a whole are limited in place of the sums of its containers', async (t, context) => {
  const {client, path} = context;
  await limit(t, context, {type: 'Pod', min: {cpu: '100m'}, max: {cpu: '2', memory: '1Gi'}});
  const whole = (cpu: string) => {
    const {metadata, spec} = pod([{name: 'a', image: 'x'}]);
    return {metadata, spec: {...spec, resources: {requests: {cpu, memory: '1Gi'}, limits: {cpu, memory: '1Gi'}}}};
  };
  await refused(t, context, 'pods', whole('3'), 'maximum cpu usage per Pod is 2, but limit is 3');
  await refused(t, context, 'pods', whole('50m'), 'minimum cpu usage per Pod is 100m, but request is 50m');
  const made = await client.post(path('pods'), whole('2'));
  t.is(made.status, 201, made.body.toString());
});

storeTest('without sidecars a resource that one container leaves out has no total', async (t, context) => {
  const server = await context.start({release: '1.26'});
  const path = (resource: string) => `/api/v1/namespaces/default/${resource}`;
  const own = {...context, server, client: server.client, path};
  await limit(t, own, {type: 'Pod', max: {cpu: '2'}});
  const containers = [container('a', {cpu: '1'}, {cpu: '1'}), {name: 'b', image: 'x'}];
  await refused(t, own, 'pods', pod(containers), 'maximum cpu usage per Pod is 2.  No limit is specified');
});
