import test from 'ava';
import {findKubectls, kubectlFor} from '../helpers/kubectl.js';
import {until} from '../helpers/eventually.js';
import {
  availability,
  createApiService,
  startFrontServer,
  writeExternalService,
  type FrontServer,
} from '../plugins/controllers/aggregator/front-server.js';
import {portOf, startWidgetsServers, type WidgetsServers} from '../plugins/controllers/aggregator/widgets-server.js';

const group = 'examples.example.com';
const apiGroup = 'apiregistration.k8s.io';
const all = findKubectls();
/** The oldest that there is explains by OpenAPI v2 and does not know aggregated discovery. */
const binaries = [...new Set([all[0], all.at(-1)])].filter((binary) => binary !== undefined);
const ends: (() => unknown)[] = [];
let front: FrontServer;
let back: WidgetsServers;

test.before(async () => {
  const t = {teardown: (end: () => unknown) => void ends.unshift(end)};
  front = await startFrontServer(t, {platform: 'kubernetes'});
  back = await startWidgetsServers(t, {requestHeaderCa: front.requestHeaderCa, service: 'widgets', platform: 'kubernetes'});
  await writeExternalService(front.server, 'widgets');
  const spec = {service: {name: 'widgets', namespace: 'default', port: portOf(back.servers[0]!)}};
  await createApiService(front.server, {group, service: 'widgets', ca: back.ca, spec}, apiGroup);
  await availability(front.server, `v1.${group}`, 'Passed', apiGroup);
  await until(
    'the document of OpenAPI is known',
    async () => (await front.server.client.get(`/openapi/v3/apis/${group}/v1`)).status === 200,
  );
});

test.after.always(async () => {
  for (const end of ends) await end();
});

if (binaries.length === 0) test.skip('kubectl uses aggregated types (kubectl is not installed)', (t) => t.pass());

for (const [index, binary] of binaries.entries()) {
  const title = binary.minor === undefined ? 'kubectl' : `kubectl 1.${binary.minor}`;
  test.serial(`${title} finds, explains, writes, reads and watches aggregated types`, async (t) => {
    const kubectl = kubectlFor(t, binary, front.server.kubeconfig);
    t.regex(await kubectl.ok(['get', 'apiservice', `v1.${group}`]), /default\/widgets\s+True/);
    t.regex(await kubectl.ok(['api-resources', `--api-group=${group}`]), /^widgets\s+wd\s+examples\.example\.com\/v1\s+true\s+Widget$/m);
    t.regex(await kubectl.ok(['explain', 'widgets.spec.size']), /size/);
    const name = `made-${index}`;
    const input = JSON.stringify({apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name}, spec: {size: 'large', replicas: 2}});
    const watch = kubectl.start(['get', 'widgets', '--watch', '-o', 'name']);
    t.is(await kubectl.ok(['create', '-f', '-'], {input}), `widget.${group}/${name} created\n`);
    await watch.until(new RegExp(`widget.${group}/${name}`));
    t.regex(await kubectl.ok(['get', 'wd', name]), new RegExp(`NAME\\s+SIZE\\s+REPLICAS\\s+AGE\\n${name}\\s+large\\s+2`));
    t.regex(await kubectl.ok(['get', 'all']), new RegExp(`widget.${group}/${name}`));
    const applied = input.replace('"large"', '"small"');
    t.is(
      await kubectl.ok(['apply', '--server-side', '--force-conflicts', '-f', '-'], {input: applied}),
      `widget.${group}/${name} serverside-applied\n`,
    );
    t.is(await kubectl.ok(['get', 'wd', name, '-o', 'jsonpath={.spec.size}']), 'small');
    t.regex(await kubectl.ok(['delete', 'wd', name]), new RegExp(`^widget.${group} "${name}" deleted(?: from default namespace)?\n$`));
  });
}

const newest = binaries.at(-1);
if (newest) {
  test.serial('an aggregated server that is away: kubectl says so, and everything else works', async (t) => {
    const kubectl = kubectlFor(t, newest, front.server.kubeconfig);
    await back.servers[0]!.stop();
    await availability(front.server, `v1.${group}`, 'FailedDiscoveryCheck', apiGroup);
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    await until('discovery is stale', async () =>
      /"Stale"/.test((await front.server.client.get('/apis', {headers: {accept}})).body.toString()),
    );
    const refused = await kubectl.run(['get', '--raw', `/apis/${group}/v1/widgets`]);
    t.is(refused.code, 1);
    t.regex(refused.stderr, /Error from server \(ServiceUnavailable\): the server is currently unable to handle the request/);
    t.regex(await kubectl.ok(['get', 'apiservice', `v1.${group}`]), /default\/widgets\s+False \(FailedDiscoveryCheck\)/);
    t.regex(await kubectl.ok(['get', 'services']), /widgets/);
    const {stdout} = await kubectl.run(['api-resources']);
    t.regex(stdout, /^deployments\s/m);
    // It leaves out what is stale.
    t.notRegex(stdout, /^widgets\s/m);
    await kubectl.ok(['create', 'configmap', 'still-works']);
  });
}
