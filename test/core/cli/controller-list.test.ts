import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {until} from '../../helpers/eventually.js';
import {orch} from './cli-process.js';

interface Row {
  name: string;
  state: string;
  lease: string;
  leader?: string;
  user: string;
}

test('plugins list --kind controller shows what runs, by which lease and under which name, and asks a server who leads', async (t) => {
  const server = await startTestServer({platform: 'kubernetes'});
  t.teardown(() => server.stop());
  const lease = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager';
  const held = await until('a leader', async () => {
    const answer = await server.client.get(lease);
    return answer.status === 200 && answer.json<{spec: {holderIdentity: string}}>().spec.holderIdentity;
  });
  const list = ['plugins', 'list', '--kind', 'controller', '--platform', 'kubernetes'];
  const {code, out, err} = await orch(t, [...list, '--json', '--kubeconfig', server.kubeconfig, '--controllers', '*,-csrcleaner']);
  t.is(code, 0, err);
  const rows = new Map((JSON.parse(out) as Row[]).map((row) => [row.name, row]));
  t.like(rows.get('namespace'), {
    state: 'on',
    lease: 'kube-controller-manager',
    leader: held,
    user: 'system:serviceaccount:kube-system:namespace-controller',
  });
  t.like(rows.get('csrcleaner'), {state: 'off', user: 'system:serviceaccount:kube-system:certificate-controller'});
  t.like(rows.get('statefulset'), {state: 'off', lease: 'statefulset', leader: 'nobody'});
  t.like(rows.get('flow-control'), {state: 'on', lease: '-', leader: 'every server', user: 'system:plugin:flow-control'});
  const alone = await orch(t, list);
  t.regex(alone.out, /^NAME +STATE +LEASE +USER +PLUGIN\n/);
});

test('--controllers=apiserver leaves what Kubernetes has in its controller manager to that: accounts, its lease', async (t) => {
  const {code, out, err} = await orch(t, [
    'plugins',
    'list',
    '--kind',
    'controller',
    '--platform',
    'kubernetes',
    '--json',
    '--controllers',
    'apiserver',
  ]);
  t.is(code, 0, err);
  const rows = JSON.parse(out) as Row[];
  const on = rows.filter(({state}) => state === 'on');
  t.true(on.length >= 6);
  for (const {name, user, lease} of on) {
    t.regex(user, /^system:plugin:/, name);
    t.true(lease === '-' || lease === 'kube-apiserver', `${name}: ${lease}`);
  }
  // The feature gate of one is off, and the plugin of another takes no part unless it is asked for.
  const off = ['leader-election', 'simulated-kubelets'];
  const ofServer = rows.filter(({name, user}) => user.startsWith('system:plugin:') && !off.includes(name));
  t.deepEqual(
    on,
    ofServer.map((row) => ({...row, state: 'on'})),
  );
  const names = await orch(t, ['plugins', 'list', '--kind', 'controller', '--json', '--controllers', 'apiserver,namespace,-flow-control']);
  const others = new Map((JSON.parse(names.out) as Row[]).map(({name, state}) => [name, state]));
  t.is(others.get('namespace'), 'on');
  t.is(others.get('flow-control'), 'off');
  t.is(others.get('aggregator'), 'on');
});

test('--cluster turns on the controllers of a whole cluster, each with a lease of its own; --controllers takes their names of today too', async (t) => {
  const list = async (...flags: string[]) => {
    const {code, out, err} = await orch(t, ['plugins', 'list', '--kind', 'controller', '--platform', 'kubernetes', '--json', ...flags]);
    t.is(code, 0, err);
    return new Map((JSON.parse(out) as Row[]).map((row) => [row.name, row]));
  };
  const off = await list();
  const on = await list('--cluster', '--controllers=*,-replicaset-controller');
  const ofCluster = [...on.values()].filter(({name, state}) => state === 'on' && off.get(name)?.state === 'off');
  t.deepEqual(
    ofCluster.map(({name}) => name),
    [
      'attachdetach',
      'cronjob',
      'daemonset',
      'deployment',
      'disruption',
      'endpoint',
      'endpointslice',
      'endpointslicemirroring',
      'ephemeral-volume',
      'horizontalpodautoscaling',
      'ingress-status',
      'job',
      'kube-scheduler',
      'nodeipam',
      'nodelifecycle',
      'persistentvolume-binder',
      'persistentvolume-expander',
      'podgc',
      'replicationcontroller',
      'service',
      'simulated-attacher',
      'statefulset',
      'tainteviction',
      'ttl',
    ],
  );
  for (const {name, lease} of ofCluster) t.is(lease, name);
  t.is(on.get('replicaset')?.state, 'off');
  t.is((await list('--controllers=*,deployment-controller')).get('deployment')?.state, 'on');
  t.is((await list('--controllers=*,-garbage-collector-controller')).get('garbagecollector')?.state, 'off');
});
