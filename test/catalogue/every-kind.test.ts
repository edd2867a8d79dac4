import test from 'ava';
import {defaultReleaseOf, newestRelease} from '../../core/api/lifetimes/releases.js';
import {kubernetes} from '../../core/api/naming/kubernetes.js';
import {orch} from '../../core/api/naming/orch.js';
import {startTestServer} from '@orch-api/orch/testing';
import {startRedis} from '../helpers/redis-server.js';
import {catalogueTypes} from './catalogue-types.js';
import {liveThrough} from './object-life.js';

/** Those without which some kinds are not served. */
const gatesOfKinds = {ClusterTrustBundle: true, GenericWorkload: true, PodCertificateRequest: true, StorageVersionMigrator: true};

const newest = {naming: kubernetes, store: 'memory', release: newestRelease} as const;

for (const {naming, store, release} of [
  ...[orch, kubernetes].flatMap((naming) => (['memory', 'redis'] as const).map((store) => ({naming, store, release: defaultReleaseOf()}))),
  newest,
]) {
  test(`an object of every kind is created, read as JSON, YAML and protobuf, updated, patched, applied, shown and deleted (${naming.name}, ${store}, ${release}) [A-NEG-2] [A-NEG-3] [A-NEG-4] [A-NEG-5] [A-PROTO-3]`, async (t) => {
    const url = store === 'memory' ? 'memory' : `${(await startRedis(t)).url}/0`;
    const featureGates = release === newestRelease ? gatesOfKinds : {};
    await using server = await startTestServer({
      store: url,
      platform: naming.name,
      release,
      runtimeConfig: {'api/all': true},
      featureGates,
    });
    const {client} = server;
    const namespace = 'every-kind';
    t.is((await client.post('/api/v1/namespaces', {metadata: {name: namespace}})).status, 201);
    const types = await catalogueTypes(client);
    t.true(types.length >= 60, `only ${types.length} types are listed with all verbs`);
    const mishaps: string[] = [];
    for (const type of types) {
      // Since 1.33 minReadySeconds has the default 0, which is read from the binary form, and JSON leaves out.
      if (release === newestRelease && type.resource === 'replicationcontrollers') continue;
      const mishap = await liveThrough(type, {client, naming, namespace, release});
      if (mishap !== undefined) mishaps.push(mishap);
    }
    t.deepEqual(mishaps, []);
  });
}
