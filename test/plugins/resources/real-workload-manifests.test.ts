import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {loadAll} from 'js-yaml';
import type {ApiObject} from '../../../sdk/index.js';
import {startTestServer} from '../../../sdk/testing/index.js';
import {projectRoot} from '../../helpers/project-root.js';

// Files that real projects publish; they are not part of this one.
const folder = join(projectRoot(), '../shared/manifests/apps/examples');
const plurals = new Map([
  ['StatefulSet', 'statefulsets'],
  ['Deployment', 'deployments'],
  ['DaemonSet', 'daemonsets'],
]);

function workloads(): {file: string; object: ApiObject; plural: string}[] {
  return readdirSync(folder).flatMap((file) =>
    (loadAll(readFileSync(join(folder, file), 'utf8')) as (ApiObject | null)[]).flatMap((object) => {
      const plural = plurals.get(object?.kind ?? '');
      return object && plural && object.apiVersion === 'apps/v1' ? [{file, object, plural}] : [];
    }),
  );
}

const wherePresent = existsSync(folder) ? test : test.skip;

wherePresent('workloads of real projects are accepted as they are, and writing back what was read changes nothing', async (t) => {
  await using server = await startTestServer({platform: 'kubernetes'});
  const found = workloads();
  t.true(new Set(found.map(({plural}) => plural)).size === plurals.size, 'the folder holds objects of these kinds');
  for (const {file, object, plural} of found) {
    const {namespace: _namespace, ...metadata} = object.metadata;
    const path = `/apis/apps/v1/namespaces/default/${plural}`;
    const made = await server.client.post(`${path}?fieldValidation=Strict`, {...object, metadata});
    t.is(made.status, 201, `${file}: ${made.body.toString()}`);
    const again = await server.client.put(`${path}/${metadata.name}`, made.json<ApiObject>());
    t.is(again.status, 200, `${file}: ${again.body.toString()}`);
    t.is(again.json<ApiObject>().metadata.resourceVersion, made.json<ApiObject>().metadata.resourceVersion, file);
  }
});
