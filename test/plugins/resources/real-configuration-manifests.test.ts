import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {loadAll} from 'js-yaml';
import {startTestServer} from '../../../sdk/testing/index.js';
import {projectRoot} from '../../helpers/project-root.js';

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: {name: string; namespace?: string};
}

const folder = join(projectRoot(), '../shared/manifests/apps');
const paths: Readonly<Record<string, {plural: string; namespaced: boolean}>> = {
  StorageClass: {plural: 'storageclasses', namespaced: false},
  Role: {plural: 'roles', namespaced: true},
  RoleBinding: {plural: 'rolebindings', namespaced: true},
  ClusterRole: {plural: 'clusterroles', namespaced: false},
  ClusterRoleBinding: {plural: 'clusterrolebindings', namespaced: false},
};

function manifests(): {file: string; object: Manifest}[] {
  const files = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter((name) => /\.(ya?ml|json)$/.test(name));
  return files.flatMap((file) =>
    (loadAll(readFileSync(join(folder, file), 'utf8')) as (Manifest | null)[]).flatMap((object) =>
      object && Object.hasOwn(paths, object.kind) ? [{file, object}] : [],
    ),
  );
}

const wherePresent = existsSync(folder) ? test : test.skip;

wherePresent('storage classes, roles and bindings of real projects are accepted as they are', async (t) => {
  await using server = await startTestServer({platform: 'kubernetes'});
  const found = manifests();
  t.true(new Set(found.map(({object}) => object.kind)).size >= 3, 'the folder holds objects of these kinds');
  for (const [index, {file, object}] of found.entries()) {
    const {plural, namespaced} = paths[object.kind]!;
    const namespace = `n${index}`;
    if (namespaced) await server.client.post('/api/v1/namespaces', {metadata: {name: namespace}});
    const url = `/apis/${object.apiVersion}/${namespaced ? `namespaces/${namespace}/` : ''}${plural}?fieldValidation=Strict`;
    const {namespace: _namespace, ...metadata} = object.metadata;
    const response = await server.client.post(url, {...object, metadata});
    t.is(response.status, 201, `${file}: ${response.body.toString('utf8')}`);
    t.like(response.json<object>(), {kind: object.kind, metadata: {name: object.metadata.name}}, file);
  }
});
