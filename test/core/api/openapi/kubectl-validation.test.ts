import test from 'ava';
import {findKubectls, kubectlFor} from '../../../helpers/kubectl.js';
import {spawnOrch, type OrchProcess} from '../../../helpers/orch-process.js';

// Earlier releases validate by OpenAPI v2.
const binaries = findKubectls().filter(({minor}) => minor === undefined || minor >= 29);

let orch: OrchProcess;
test.before(async () => {
  if (binaries.length > 0) orch = await spawnOrch({platform: 'kubernetes', store: 'memory'});
});
test.after.always(async () => {
  await orch?.stop();
});

const deployment = (name: string, image: object) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {name},
  spec: {
    selector: {matchLabels: {app: name}},
    template: {metadata: {labels: {app: name}}, spec: {containers: [{name: 'web', ...image, ports: [{containerPort: 80}]}]}},
  },
});

const networkPolicy = (name: string, port: number | string) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: {name},
  spec: {podSelector: {}, ingress: [{ports: [{port}]}]},
});

if (binaries.length === 0) test.skip('kubectl validates and explains built-in types (it is not installed)', (t) => t.pass());

for (const binary of binaries) {
  const release = binary.minor === undefined ? 'kubectl' : `kubectl 1.${binary.minor}`;

  test(`${release} validates, applies and explains built-in types`, async (t) => {
    const kubectl = kubectlFor(t, binary, orch.kubeconfig);
    const name = `web-${binary.minor ?? 0}`;
    const apply = (input: object) => kubectl.ok(['apply', '-f', '-'], {input: JSON.stringify(input)});
    const mistaken = await kubectl.run(['create', '-f', '-'], {input: JSON.stringify(deployment(name, {imge: 'web:1'}))});
    t.is(mistaken.code, 1);
    t.regex(mistaken.stderr, /strict decoding error: unknown field "spec\.template\.spec\.containers\[0\]\.imge"/);
    t.is(await apply(deployment(name, {image: 'web:1'})), `deployment.apps/${name} created\n`);
    t.is(await apply(deployment(name, {image: 'web:2'})), `deployment.apps/${name} configured\n`);
    t.is(await kubectl.ok(['get', 'deployment', name, '-o', 'jsonpath={.spec.template.spec.containers[*].image}']), 'web:2');
    t.is(await apply(networkPolicy(name, 80)), `networkpolicy.networking.k8s.io/${name} created\n`);
    t.is(await apply(networkPolicy(name, 'http')), `networkpolicy.networking.k8s.io/${name} configured\n`);
    const explained = await kubectl.ok(['explain', 'deployments', '--recursive']);
    for (const field of [/maxSurge\s+<IntOrString>/, /containerPort\s+<integer> -required-/, /requests\s+<map\[string\]Quantity>/])
      t.regex(explained, field);
    t.regex(await kubectl.ok(['explain', 'customresourcedefinitions.spec.versions', '--recursive']), /openAPIV3Schema\s+<JSONSchemaProps>/);
    t.regex(await kubectl.ok(['explain', 'networkpolicies', '--recursive', '--output=plaintext-openapiv2']), /endPort\s+<integer>/);
  });
}
