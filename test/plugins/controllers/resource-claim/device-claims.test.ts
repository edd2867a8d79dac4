import type * as core from '@orch-api/orch/types/core/v1';
import type * as resource from '@orch-api/orch/types/resource/v1';
import {testOnEachStore, type StoreContext} from '../../../helpers/each-store.js';
import {eventually, until} from '../../../helpers/eventually.js';

const storeTest = testOnEachStore({release: '1.36', featureGates: {DynamicResourceAllocation: true}});

type Claim = resource.ResourceClaim;
const version = 'resource.orch/v1';
const requests = [{name: 'a', exactly: {deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1}}];
const template = {metadata: {name: 'gpus'}, spec: {metadata: {labels: {size: 'big'}}, spec: {devices: {requests}}}};
const allocation = {devices: {results: [{request: 'a', driver: 'gpu.example', pool: 'n', device: 'gpu-0'}]}};

const pod = (name: string, more: object = {}) => ({
  metadata: {name},
  spec: {
    containers: [{name: 'a', image: 'x', resources: {claims: [{name: 'gpu'}]}}],
    resourceClaims: [
      {name: 'gpu', resourceClaimTemplateName: 'gpus'},
      {name: 'own', resourceClaimName: 'mine'},
    ],
    ...more,
  },
});

async function post<T>({client, path}: StoreContext, type: string, object: object, groupVersion?: string): Promise<T> {
  const made = await client.post(path(type, groupVersion), object);
  if (made.status !== 201) throw new Error(made.body.toString());
  return made.json<T>();
}

async function claimsOf({client, path}: StoreContext): Promise<Claim[]> {
  return (await client.get(path('resourceclaims', version))).json<{items: Claim[]}>().items;
}

async function podOf({client, path}: StoreContext, name: string): Promise<core.Pod> {
  return (await client.get(`${path('pods')}/${name}`)).json<core.Pod>();
}

function claimNameOf(context: StoreContext, name: string): Promise<string> {
  return until('the name of the claim', async () => (await podOf(context, name)).status?.resourceClaimStatuses?.[0]?.resourceClaimName);
}

async function putStatus({client, path}: StoreContext, claim: Claim, status: object): Promise<void> {
  const url = `${path('resourceclaims', version)}/${claim.metadata.name}/status`;
  const put = await client.put(url, {...claim, metadata: {name: claim.metadata.name!}, status});
  if (put.status !== 200) throw new Error(put.body.toString());
}

const reserved = ({metadata}: core.Pod) => ({resource: 'pods', name: metadata.name!, uid: metadata.uid!});

storeTest('the name of a claim is generated, and stands in the status of its pod', async (t, context) => {
  await post(context, 'resourceclaimtemplates', template, version);
  const made = await post<core.Pod>(context, 'pods', pod('p'));
  const name = await claimNameOf(context, 'p');
  t.regex(name, /^p-gpu-[a-z0-9]{5}$/);
  const [claim, ...others] = await claimsOf(context);
  t.is(claim!.metadata.name, name);
  t.deepEqual(others, []);
  t.deepEqual(claim!.spec.devices?.requests as object, requests);
  t.deepEqual(claim!.metadata.labels, {size: 'big'});
  t.deepEqual(claim!.metadata.annotations, {'resource.orch/pod-claim-name': 'gpu'});
  t.like(claim!.metadata.ownerReferences![0], {kind: 'Pod', name: 'p', uid: made.metadata.uid, controller: true});
  const long = 'p'.repeat(60);
  await post(context, 'pods', pod(long));
  t.regex(await claimNameOf(context, long), /^p{52}-gp[a-z0-9]{5}$/);
});

storeTest('a lost claim is made again under another name', async (t, context) => {
  await post(context, 'pods', pod('p'));
  await post(context, 'resourceclaimtemplates', template, version);
  const first = await claimNameOf(context, 'p');
  t.is((await context.client.delete(`${context.path('resourceclaims', version)}/${first}`)).status, 200);
  const next = await eventually(
    () => claimNameOf(context, 'p'),
    (name) => name !== first,
  );
  t.deepEqual(
    (await claimsOf(context)).map(({metadata}) => metadata.name),
    [next],
  );
});

storeTest('a claim is given back when the last pod that used it is gone', async (t, context) => {
  const {client, path} = context;
  const finalizers = ['resource.orch/delete-protection'];
  const claim = await post<Claim>(context, 'resourceclaims', {metadata: {name: 'mine', finalizers}, spec: {devices: {requests}}}, version);
  const [first, second] = [await post<core.Pod>(context, 'pods', pod('p')), await post<core.Pod>(context, 'pods', pod('q'))];
  const other = {apiGroup: 'example.com', resource: 'jobs', name: 'x', uid: 'x'};
  await putStatus(context, claim, {allocation, reservedFor: [reserved(first), reserved(second), other]});
  await client.delete(`${path('pods')}/p`);
  const mine = () => client.get(`${path('resourceclaims', version)}/mine`).then((response) => response.json<Claim>());
  const left = await eventually(mine, ({status}) => status?.reservedFor?.length === 2);
  t.truthy(left.status?.allocation);
  await putStatus(context, left, {allocation, reservedFor: [reserved(second)]});
  await client.delete(`${path('pods')}/q`);
  const free = await eventually(mine, ({metadata}) => metadata.finalizers === undefined);
  t.deepEqual(free.status as object, {});
});

storeTest('a claim that was made for a pod goes when the pod has finished', async (t, context) => {
  const {client, path} = context;
  await post(context, 'resourceclaimtemplates', template, version);
  const made = await post<core.Pod>(context, 'pods', pod('p'));
  await claimNameOf(context, 'p');
  const [claim] = await claimsOf(context);
  await putStatus(context, claim!, {allocation, reservedFor: [reserved(made)]});
  const finished = await client.patch(`${path('pods')}/p/status`, {status: {phase: 'Succeeded'}}, 'application/merge-patch+json');
  t.is(finished.status, 200, finished.body.toString());
  await eventually(
    () => claimsOf(context),
    (claims) => claims.length === 0,
  );
});

storeTest('an allocated claim is reserved for a pod that was put on a node without the scheduler', async (t, context) => {
  const claim = await post<Claim>(context, 'resourceclaims', {metadata: {name: 'mine'}, spec: {devices: {requests}}}, version);
  await putStatus(context, claim, {allocation});
  const made = await post<core.Pod>(context, 'pods', pod('p', {nodeName: 'n'}));
  const {status} = await eventually(
    () => context.client.get(`${context.path('resourceclaims', version)}/mine`).then((response) => response.json<Claim>()),
    (found) => found.status?.reservedFor !== undefined,
  );
  t.deepEqual(status?.reservedFor as object[], [reserved(made)]);
});
