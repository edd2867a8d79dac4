import test from 'ava';
import fc from 'fast-check';
import type {ApiObject, OwnerReference} from '@orch-api/orch/sdk';
import {startTestServer} from '@orch-api/orch/testing';
import {checkAsyncProperty} from '../../../core/api/seeded.js';
import {eventually} from '../../../helpers/eventually.js';
import {ownerReference, untilGone} from './owned-objects.js';

const count = 14;

/** How an object names an earlier one as its owner: as it is, or otherwise, which is no owner. */
const reference = fc.record({
  owner: fc.nat(count - 1),
  as: fc.constantFrom('it is', 'it is', 'it is', 'another name', 'another uid', 'another kind'),
  blocks: fc.boolean(),
});
const plan = fc.record({
  objects: fc.array(
    fc.record({namespace: fc.nat(1), resource: fc.constantFrom('configmaps', 'secrets'), owners: fc.array(reference, {maxLength: 3})}),
    {minLength: count, maxLength: count},
  ),
  deleted: fc.uniqueArray(fc.nat(count - 1), {minLength: 1, maxLength: 4}),
  policy: fc.constantFrom('Background', 'Foreground'),
});

test('what survives is what a naive model keeps: no object with an owner that is there is ever deleted, and every other goes', async (t) => {
  const server = await startTestServer({store: 'memory'});
  t.teardown(() => server.stop());
  const {client} = server;
  let runs = 0;
  const property = fc.asyncProperty(plan, async ({objects, deleted, policy}) => {
    runs += 1;
    const namespaces = [0, 1].map((index) => `run-${runs}-${index}`);
    for (const name of namespaces) await client.post('/api/v1/namespaces', {metadata: {name}});
    const pathOf = (index: number) => `/api/v1/namespaces/${namespaces[objects[index]!.namespace]}/${objects[index]!.resource}`;
    const made: ApiObject[] = [];
    for (const [index, {owners}] of objects.entries()) {
      const ownerReferences = owners.map(({owner, as, blocks}): OwnerReference => {
        // The first can name none of the others.
        const earlier = made[owner % Math.max(1, index)];
        if (!earlier) return {apiVersion: 'v1', kind: 'ConfigMap', name: 'none', uid: 'none'};
        const real = ownerReference(earlier, blocks ? {blockOwnerDeletion: true} : {});
        if (as === 'another name') return {...real, name: 'other'};
        if (as === 'another uid') return {...real, uid: crypto.randomUUID()};
        if (as === 'another kind') return {...real, kind: real.kind === 'Secret' ? 'ConfigMap' : 'Secret'};
        return real;
      });
      const answer = await client.post(pathOf(index), {metadata: {name: `n-${index}`, ownerReferences}});
      if (answer.status !== 201) throw new Error(answer.body.toString());
      made.push({...answer.json<ApiObject>(), metadata: {...answer.json<ApiObject>().metadata, ownerReferences}});
    }
    for (const index of deleted) await client.delete(`${pathOf(index)}/n-${index}?propagationPolicy=${policy}`);

    const kept = new Set(objects.keys());
    for (const index of deleted) kept.delete(index);
    const isThere = (index: number, {uid, kind, name}: OwnerReference) =>
      [...kept].some(
        (other) =>
          made[other]!.metadata.uid === uid &&
          made[other]!.kind === kind &&
          made[other]!.metadata.name === name &&
          objects[other]!.namespace === objects[index]!.namespace,
      );
    for (let before = -1; before !== kept.size;) {
      before = kept.size;
      for (const index of kept) {
        const owners = made[index]!.metadata.ownerReferences!;
        if (owners.length > 0 && !owners.some((owner) => isThere(index, owner))) kept.delete(index);
      }
    }
    const left = async () => {
      const found: number[] = [];
      for (const index of objects.keys()) if ((await client.get(`${pathOf(index)}/n-${index}`)).status === 200) found.push(index);
      return found.join(' ');
    };
    const expected = [...kept].join(' ');
    const isExpected = await eventually(left, (text) => {
      for (const index of kept) if (!text.split(' ').includes(String(index))) throw new Error(`n-${index} was deleted: ${text}`);
      return text === expected;
    });
    if (isExpected !== expected) throw new Error(`${isExpected} instead of ${expected}`);
    // One that is looked at after all of these: nothing follows.
    const last = `/api/v1/namespaces/${namespaces[0]}/configmaps`;
    await client.post(last, {metadata: {name: 'last', ownerReferences: [{apiVersion: 'v1', kind: 'Secret', name: 'none', uid: 'none'}]}});
    await untilGone(client, `${last}/last`);
    if ((await left()) !== expected) throw new Error(`later ${await left()} instead of ${expected}`);
  });
  await checkAsyncProperty(t, property, 25);
});
