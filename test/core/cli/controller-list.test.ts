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
