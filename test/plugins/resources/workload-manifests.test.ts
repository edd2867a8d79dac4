import test from 'ava';
import type {ApiObject} from '@orch-api/orch/sdk';
import {startTestServer} from '@orch-api/orch/testing';
import {manifestsIn} from '../../helpers/manifests.js';

const plurals: Readonly<Record<string, string>> = {StatefulSet: 'statefulsets', Deployment: 'deployments', DaemonSet: 'daemonsets'};

test('workloads of manifests are accepted as they are, and writing back what was read changes nothing', async (t) => {
  await using server = await startTestServer({platform: 'kubernetes'});
  const found = manifestsIn('apps').filter(({object}) => object.apiVersion === 'apps/v1');
  t.deepEqual([...new Set(found.map(({object}) => object.kind!))].sort(), Object.keys(plurals).sort());
  for (const {file, object} of found) {
    const path = `/apis/apps/v1/namespaces/default/${plurals[object.kind!]}`;
    const made = await server.client.post(`${path}?fieldValidation=Strict`, object);
    t.is(made.status, 201, `${file}: ${made.body.toString()}`);
    const again = await server.client.put(`${path}/${object.metadata.name}`, made.json<ApiObject>());
    t.is(again.status, 200, `${file}: ${again.body.toString()}`);
    t.is(again.json<ApiObject>().metadata.resourceVersion, made.json<ApiObject>().metadata.resourceVersion, file);
  }
});
