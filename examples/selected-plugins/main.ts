import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createServer} from '@orch-api/orch';
import {types} from '@orch-api/orch/client';

/** Custom resources, and with what these require ConfigMaps and namespaces; administrators with their certificates; the store. */
const onlyPlugins = ['apiextensions', 'namespace-lifecycle', 'namespace-controller', 'client-certificate', 'masters', 'store-embedded'];

const dataDir = await mkdtemp(join(tmpdir(), 'orch-example-'));
const server = await createServer({store: 'memory', securePort: 0, dataDir, onlyPlugins});
await server.start();
try {
  const maps = server.client.resource(types.core.v1.ConfigMap, 'default');
  const made = await maps.create({metadata: {name: 'colours'}, data: {sky: 'blue'}});
  console.log(`made ${made.metadata.name} with version ${made.metadata.resourceVersion}`);
} finally {
  await server.stop();
  await rm(dataDir, {recursive: true, force: true});
}
