import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {loadAll} from 'js-yaml';
import {httpsClient} from '../helpers/https-client.js';
import {startOrch} from '../helpers/orch-process.js';
import {projectRoot} from '../helpers/project-root.js';

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: {name: string; namespace?: string; labels?: Record<string, string>};
  data?: Record<string, string>;
  items?: Manifest[];
}

const folder = join(projectRoot(), '../shared/manifests/apps');
const resources: Record<string, string> = {ConfigMap: 'configmaps', Secret: 'secrets', Namespace: 'namespaces'};

/** The ConfigMaps, Secrets and Namespaces of the manifests, lists unpacked. */
function manifests(): {file: string; object: Manifest}[] {
  const files = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter((name) => /\.(ya?ml|json)$/.test(name));
  return files.flatMap((file) =>
    (loadAll(readFileSync(join(folder, file), 'utf8')) as (Manifest | null)[])
      .flatMap((object) => object?.items ?? object ?? [])
      .filter((object) => object.apiVersion === 'v1' && object.kind in resources)
      .map((object) => ({file, object})),
  );
}

const wherePresent = existsSync(folder) ? test : test.skip;

wherePresent('ConfigMaps, Secrets and Namespaces of real projects are stored as they are', async (t) => {
  const orch = await startOrch(t, {platform: 'kubernetes', store: 'memory'});
  const client = httpsClient(t, orch);
  const found = manifests();
  t.true(found.length > 0, 'the folder holds objects of these kinds');
  const namespaces = new Set(found.map(({object}) => object.metadata.namespace).filter((name) => name !== undefined));
  for (const name of namespaces) {
    const made = await client.post('/api/v1/namespaces', {apiVersion: 'v1', kind: 'Namespace', metadata: {name}});
    t.true([201, 409].includes(made.status), made.text);
  }
  // Namespaces first: the others may lie in them.
  for (const {file, object} of found.sort((a, b) => Number(b.object.kind === 'Namespace') - Number(a.object.kind === 'Namespace'))) {
    const namespaced = object.kind !== 'Namespace';
    const path = `/api/v1/${namespaced ? `namespaces/${object.metadata.namespace ?? 'default'}/` : ''}${resources[object.kind]}`;
    const created = await client.post(path, object);
    t.true(created.status === 201 || (created.status === 409 && !namespaced), `${file}: ${created.text}`);
    const read = (await client.get(`${path}/${object.metadata.name}`)).json<Manifest>();
    t.deepEqual(read.data, object.data, file);
    const labels = Object.entries(object.metadata.labels ?? {});
    t.deepEqual(
      labels.filter(([name, value]) => read.metadata.labels?.[name] !== value),
      [],
      file,
    );
  }
});
