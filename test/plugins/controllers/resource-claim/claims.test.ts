import type * as resource from '@orch-api/orch/types/resource/v1alpha1';
import {testOnEachStore, type StoreContext} from '../../../helpers/each-store.js';
import {eventually, until} from '../../../helpers/eventually.js';

const storeTest = testOnEachStore({
  featureGates: {DynamicResourceAllocation: true},
  runtimeConfig: {'resource.orch/v1alpha1': true},
});

type Claim = resource.ResourceClaim;
const version = 'resource.orch/v1alpha1';

const template = (name: string) => ({
  metadata: {name, labels: {of: 'template'}},
  spec: {
    metadata: {labels: {size: 'big'}, annotations: {'example.com/note': 'n'}},
    spec: {
      resourceClassName: 'gpus',
      allocationMode: 'Immediate',
      parametersRef: {apiGroup: 'example.com', kind: 'Gpu', name: 'fast'},
    },
  },
});

const pod = (name: string, templateName: string) => ({
  metadata: {name},
  spec: {
    containers: [{name: 'a', image: 'x', resources: {claims: [{name: 'gpu'}]}}],
    resourceClaims: [
      {name: 'gpu', source: {resourceClaimTemplateName: templateName}},
      {name: 'own', source: {resourceClaimName: 'mine'}},
    ],
  },
});

async function post({client, path}: StoreContext, resource: string, object: object, groupVersion?: string): Promise<void> {
  const made = await client.post(path(resource, groupVersion), object);
  if (made.status !== 201) throw new Error(made.body.toString());
}

async function claimsOf({client, path}: StoreContext): Promise<Claim[]> {
  return (await client.get(path('resourceclaims', version))).json<{items: Claim[]}>().items;
}

const firstClaim = (context: StoreContext) => until('a claim', async () => (await claimsOf(context))[0]);

storeTest('[A-RCT-7] [A-RCT-8] a claim has the spec, the labels and the annotations of its template', async (t, context) => {
  await post(context, 'resourceclaimtemplates', template('gpus'), version);
  await post(context, 'pods', pod('p', 'gpus'));
  const claim = await firstClaim(context);
  t.is(claim.metadata.name, 'p-gpu');
  t.deepEqual(claim.spec as object, template('gpus').spec.spec);
  t.deepEqual(claim.metadata.labels, {size: 'big'});
  t.deepEqual(claim.metadata.annotations, {'example.com/note': 'n'});
  t.like(claim.metadata.ownerReferences![0], {apiVersion: 'v1', kind: 'Pod', name: 'p', controller: true, blockOwnerDeletion: true});
  t.is((await claimsOf(context)).length, 1);
});

storeTest('a template that comes after the pod is used at once, and a lost claim is made again', async (t, context) => {
  await post(context, 'pods', pod('p', 'late'));
  await post(context, 'pods', pod('q', 'other'));
  await post(context, 'resourceclaimtemplates', template('late'), version);
  const {metadata} = await firstClaim(context);
  t.is(metadata.name, 'p-gpu');
  t.is((await context.client.delete(`${context.path('resourceclaims', version)}/p-gpu`)).status, 200);
  const again = await eventually(
    () => claimsOf(context),
    ([claim]) => claim !== undefined && claim.metadata.uid !== metadata.uid,
  );
  t.deepEqual(
    again.map((claim) => claim.metadata.name),
    ['p-gpu'],
  );
});

storeTest('a claim that has the name but was not made for the pod is left alone', async (t, context) => {
  await post(context, 'resourceclaimtemplates', template('gpus'), version);
  await post(context, 'resourceclaims', {metadata: {name: 'p-gpu'}, spec: {resourceClassName: 'foreign'}}, version);
  await post(context, 'pods', pod('p', 'gpus'));
  await post(context, 'pods', pod('z', 'gpus'));
  const claims = await eventually(
    () => claimsOf(context),
    (found) => found.length === 2,
  );
  t.deepEqual(
    claims.map(({metadata, spec}) => [metadata.name, spec.resourceClassName, metadata.ownerReferences?.[0]?.name]),
    [
      ['p-gpu', 'foreign', undefined],
      ['z-gpu', 'gpus', 'z'],
    ],
  );
});
