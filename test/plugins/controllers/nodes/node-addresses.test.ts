import test from 'ava';
import {BlockPool} from '../../../../plugins/families/addresses/block-pool.js';
import {ClusterSize} from '../../../../plugins/controllers/node-ttl/cluster-size.js';
import {testOnEachStore} from '../../../helpers/each-store.js';
import {NodesUnderTest} from './node-under-test.js';

const storeTest = testOnEachStore({platform: 'kubernetes', cluster: true, controllers: ['*', '-garbagecollector', '-kube-scheduler']});

storeTest(
  'each node gets a block of addresses for its pods, except simulated ones, and says how long its agent may keep what it reads',
  async (t, context) => {
    const nodes = new NodesUnderTest(context, context.client);
    for (const name of ['one', 'two']) await nodes.node(name);
    const one = await nodes.until('one', ({spec}) => spec?.podCIDR !== undefined);
    const two = await nodes.until('two', ({spec}) => spec?.podCIDR !== undefined);
    t.regex(one.spec!.podCIDR!, /^10\.32\.\d\.0\/24$/);
    t.deepEqual(one.spec!.podCIDRs, [one.spec!.podCIDR!]);
    t.not(one.spec!.podCIDR, two.spec!.podCIDR);
    await nodes.until('one', ({metadata}) => metadata.annotations?.['node.alpha.kubernetes.io/ttl'] === '0');
    await context.client.post('/api/v1/nodes', {metadata: {name: nodes.name('three'), annotations: {'simulate.orch/node': 'true'}}});
    const three = await nodes.until('three', ({metadata}) => metadata.annotations?.['node.alpha.kubernetes.io/ttl'] !== undefined);
    t.is(three.spec?.podCIDR, undefined);
  },
);

test('blocks are given one after the other, and again once they are free', (t) => {
  const pool = new BlockPool('10.0.0.0/22', 24);
  pool.occupy('10.0.1.0/25');
  t.deepEqual([pool.take(), pool.take(), pool.take(), pool.take()], ['10.0.0.0/24', '10.0.2.0/24', '10.0.3.0/24', undefined]);
  pool.release('10.0.2.0/24');
  t.is(pool.take(), '10.0.2.0/24');
  pool.release('10.0.1.0/25');
  t.is(pool.take(), '10.0.1.0/24');
  t.is(new BlockPool('fd00::/48', 64).take(), 'fd00::/64');
  const few = new BlockPool('10.0.0.0/30', 31);
  few.occupy('10.0.0.0/8');
  t.is(few.take(), undefined);
});

test('a range that is none, or blocks that do not fit in it, are refused', (t) => {
  t.throws(() => new BlockPool('10.0.0.0', 24), {message: '"10.0.0.0" is no block of addresses'});
  t.throws(() => new BlockPool('10.0.0.0/24', 16), {message: 'the blocks of nodes (/16) do not fit in 10.0.0.0/24'});
});

test('the time grows with the number of nodes, and does not go back and forth at a boundary', (t) => {
  const size = new ClusterSize();
  t.deepEqual(
    [1, 100, 101, 95, 89, 600, 1001, 2001, 1801, 1799].map((count) => size.ttl(count)),
    [0, 0, 15, 15, 0, 30, 60, 300, 300, 60],
  );
});
