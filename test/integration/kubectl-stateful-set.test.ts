import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {SetUnderTest, webs} from '../plugins/controllers/stateful-set/set-under-test.js';
import {findKubectls, kubectlFor} from '../helpers/kubectl.js';

const [binary] = findKubectls();
const withKubectl = binary ? test : test.skip;

withKubectl('kubectl scales a StatefulSet, follows its rollout, rolls it back, and deletes it without its pods', async (t) => {
  const server = await startTestServer({platform: 'kubernetes', controllers: ['*', 'statefulset']});
  t.teardown(() => server.stop());
  const kubectl = kubectlFor(t, binary!, server.kubeconfig);
  const path = (resource: string, version?: string) => `/${version ? `apis/${version}` : 'api/v1'}/namespaces/default/${resource}`;
  const set = await SetUnderTest.create({client: server.client, path}, {replicas: 1});
  await set.run();

  t.is(await kubectl.ok(['scale', 'statefulset/web', '--replicas=2']), 'statefulset.apps/web scaled\n');
  await set.run();
  t.regex(await kubectl.ok(['rollout', 'status', 'statefulset/web']), /partitioned roll out complete: 2 new pods have been updated/);

  t.is(await kubectl.ok(['set', 'image', 'statefulset/web', 'db=db:2']), 'statefulset.apps/web image updated\n');
  const rollout = kubectl.start(['rollout', 'status', 'statefulset/web']);
  await rollout.until(/Waiting for/);
  await set.run();
  await rollout.until(/partitioned roll out complete: 2 new pods have been updated/);
  t.deepEqual(await set.images(), ['web-0=db:2', 'web-1=db:2']);
  t.regex(await kubectl.ok(['rollout', 'history', 'statefulset/web']), /\n1 .*\n2 /);

  t.is(await kubectl.ok(['rollout', 'undo', 'statefulset/web']), 'statefulset.apps/web rolled back\n');
  await set.run();
  t.deepEqual(await set.images(), ['web-0=db:1', 'web-1=db:1']);

  const deleted = await kubectl.ok(['delete', 'statefulset/web', '--cascade=orphan', '--wait=false']);
  t.regex(deleted, /statefulset.apps "web" deleted/);
  t.deepEqual(await set.names(), webs(2));
});
