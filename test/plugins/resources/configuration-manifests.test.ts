import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {manifestsIn} from '../../helpers/manifests.js';

const paths: Readonly<Record<string, {plural: string; namespaced: boolean}>> = {
  StorageClass: {plural: 'storageclasses', namespaced: false},
  Role: {plural: 'roles', namespaced: true},
  RoleBinding: {plural: 'rolebindings', namespaced: true},
  ClusterRole: {plural: 'clusterroles', namespaced: false},
  ClusterRoleBinding: {plural: 'clusterrolebindings', namespaced: false},
};

test('storage classes, roles and bindings of manifests are accepted as they are', async (t) => {
  await using server = await startTestServer({platform: 'kubernetes'});
  const found = manifestsIn('apps').filter(({object}) => Object.hasOwn(paths, object.kind!));
  t.deepEqual([...new Set(found.map(({object}) => object.kind!))].sort(), Object.keys(paths).sort());
  for (const {file, object} of found) {
    const {plural, namespaced} = paths[object.kind!]!;
    const url = `/apis/${object.apiVersion}/${namespaced ? 'namespaces/default/' : ''}${plural}?fieldValidation=Strict`;
    const response = await server.client.post(url, object);
    t.is(response.status, 201, `${file}: ${response.body.toString('utf8')}`);
    t.like(response.json<object>(), {kind: object.kind, metadata: {name: object.metadata.name}}, file);
  }
});
