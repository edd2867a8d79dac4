import {loadAll} from 'js-yaml';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {TestClient} from '@orch-api/orch/testing';
import {catalogueTypes} from '../../../test/catalogue/catalogue-types.js';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {readonly name: string; readonly namespace?: string};
}

/** Creates, applies, reads and deletes what is in the manifests of a folder. */
export async function manifestSession(client: TestClient, folder: string): Promise<void> {
  const types = await catalogueTypes(client);
  const objects = readdirSync(folder)
    .sort()
    .flatMap((name) => loadAll(readFileSync(join(folder, name), 'utf8')) as Manifest[])
    .map((object) => {
      const type = types.find(({groupVersion, kind}) => groupVersion === object.apiVersion && kind === object.kind);
      if (!type) throw new Error(`no type of the server is ${object.apiVersion} ${object.kind}`);
      const {namespace = 'default', name} = object.metadata;
      const collection = `${type.root}/${type.namespaced ? `namespaces/${namespace}/` : ''}${type.resource}`;
      return {object, collection, path: `${collection}/${name}`};
    });
  for (const {object, collection, path} of objects) {
    const created = await client.post(collection, object);
    if (created.status !== 201) throw new Error(`${path}: ${created.body.toString()}`);
    await client.patch(`${path}?fieldManager=recording&force=true`, object, 'application/apply-patch+yaml');
    await client.get(path);
  }
  for (const {path} of objects.reverse()) await client.delete(path);
}
