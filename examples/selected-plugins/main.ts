import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createServer} from 'orch';
import {types} from 'orch/client';

/** What remains: ConfigMaps and the rest of the core group, custom resources, and administrators with their certificates. */
const disablePlugins = `
  admissionregistration apiregistration apps autoscaling batch certificates coordination core-pods core-services core-volumes
  storage-object-in-use-protection storage-protection
  discovery events flow-control flowcontrol-apiserver internal-apiserver networking node policy resource scheduling storage
  authentication authorization rbac rbac-authorization service-accounts service-account-admission bootstrap-token https-webhooks
  image-policy-webhook mutating-webhook validating-admission-policy validating-webhook
  default-ingress-class default-storage-class persistent-volume-claim-resize priority runtime-class
`;

const dataDir = await mkdtemp(join(tmpdir(), 'orch-example-'));
const server = await createServer({store: 'memory', securePort: 0, dataDir, disablePlugins: disablePlugins.trim().split(/\s+/)});
await server.start();
try {
  const maps = server.client.resource(types.core.v1.ConfigMap, 'default');
  const made = await maps.create({metadata: {name: 'colours'}, data: {sky: 'blue'}});
  console.log(`made ${made.metadata.name} with version ${made.metadata.resourceVersion}`);
} finally {
  await server.stop();
  await rm(dataDir, {recursive: true, force: true});
}
