import test from 'ava';
import type {ApiObject} from '../../sdk/index.js';
import {httpsClient} from '../helpers/https-client.js';
import {manifestsIn} from '../helpers/manifests.js';
import {startOrch} from '../helpers/orch-process.js';

const resources: Record<string, string> = {ConfigMap: 'configmaps', Secret: 'secrets', Namespace: 'namespaces'};

test('ConfigMaps, Secrets and Namespaces of manifests are stored as they are', async (t) => {
  const orch = await startOrch(t, {platform: 'kubernetes', store: 'memory'});
  const client = httpsClient(t, orch);
  const found = [...manifestsIn('apps'), ...manifestsIn('traffic')].filter(
    ({object}) => object.apiVersion === 'v1' && object.kind! in resources,
  );
  t.deepEqual([...new Set(found.map(({object}) => object.kind))].sort(), Object.keys(resources).sort());
  for (const {file, object} of found) {
    const path = `/api/v1/${object.kind === 'Namespace' ? '' : 'namespaces/default/'}${resources[object.kind!]}`;
    const created = await client.post(path, object);
    t.is(created.status, 201, `${file}: ${created.text}`);
    const read = (await client.get(`${path}/${object.metadata.name}`)).json<ApiObject>();
    for (const member of ['data', 'binaryData'] as const) t.deepEqual(read[member], withoutBreaks(object[member]), file);
    // A namespace gets its name as a label.
    for (const [label, value] of Object.entries(object.metadata.labels ?? {})) t.is(read.metadata.labels?.[label], value, file);
  }
});

/** Base64 may be written over several lines; it is stored in one. */
function withoutBreaks(data: unknown): unknown {
  const certificate = (data as {certificate?: string} | undefined)?.certificate;
  return certificate === undefined ? data : {...(data as object), certificate: certificate.replaceAll('\n', '')};
}
