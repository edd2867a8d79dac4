import test, {type ExecutionContext} from 'ava';
import {httpsClient} from '../../../../helpers/https-client.js';
import {findKubectls, kubectlFor, type Kubectl, type KubectlBinary} from '../../../../helpers/kubectl.js';
import {spawnOrch, type OrchProcess} from '../../../../helpers/orch-process.js';

// These two releases read OpenAPI v2 before they create or apply anything.
const binaries = findKubectls().filter(({minor}) => minor === 27 || minor === 28);

let orch: OrchProcess;
test.before(async () => {
  if (binaries.length > 0) orch = await spawnOrch({platform: 'kubernetes', store: 'memory'});
});
test.after.always(async () => {
  await orch?.stop();
});

let namespaces = 0;

async function inNamespace(
  t: ExecutionContext,
  binary: KubectlBinary,
): Promise<{
  run: (argv: readonly string[], input?: object) => ReturnType<Kubectl['run']>;
  ok: (argv: readonly string[], input?: object) => Promise<string>;
}> {
  const kubectl = kubectlFor(t, binary, orch.kubeconfig);
  const namespace = `openapi-${++namespaces}`;
  const made = await httpsClient(t, orch).post('/api/v1/namespaces', {apiVersion: 'v1', kind: 'Namespace', metadata: {name: namespace}});
  t.is(made.status, 201);
  const more = (input?: object) => (input === undefined ? {} : {input: JSON.stringify(input)});
  return {
    run: (argv, input) => kubectl.run(['-n', namespace, ...argv], more(input)),
    ok: (argv, input) => kubectl.ok(['-n', namespace, ...argv], more(input)),
  };
}

const configMap = (data: object, more: object = {}) => ({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'settings'}, data, ...more});

const deployment = (containers: readonly object[], replicas = 1) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {name: 'web'},
  spec: {replicas, selector: {matchLabels: {app: 'web'}}, template: {metadata: {labels: {app: 'web'}}, spec: {containers}}},
});

/** A type with all that the older document has no words for. */
const definition = (group: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: `boxes.${group}`},
  spec: {
    group,
    scope: 'Namespaced',
    names: {plural: 'boxes', singular: 'box', kind: 'Box', listKind: 'BoxList'},
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'A box.',
            properties: {
              spec: {
                type: 'object',
                required: ['size'],
                properties: {
                  size: {type: 'integer', default: 1, description: 'How much it holds.'},
                  owner: {type: 'string', nullable: true},
                  port: {'x-kubernetes-int-or-string': true},
                  content: {type: 'object', properties: {known: {type: 'string'}}, 'x-kubernetes-preserve-unknown-fields': true},
                  inner: {type: 'object', 'x-kubernetes-embedded-resource': true, properties: {data: {type: 'string'}}},
                  side: {
                    type: 'object',
                    properties: {left: {type: 'string'}, right: {type: 'string'}},
                    oneOf: [{required: ['left']}, {required: ['right']}],
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
});

if (binaries.length === 0) test.skip('older releases of kubectl work with OpenAPI v2 (they are not installed)', (t) => t.pass());

for (const binary of binaries) {
  const name = `kubectl 1.${binary.minor}`;

  test(`${name} creates objects from files, and mistakes in them are found`, async (t) => {
    const {run, ok} = await inNamespace(t, binary);
    t.is(await ok(['create', '-f', '-'], configMap({colour: 'blue'})), 'configmap/settings created\n');
    t.is(await ok(['create', '-f', '-'], deployment([{name: 'web', image: 'web:1'}])), 'deployment.apps/web created\n');
    const mistaken = await run(['create', '-f', '-'], {...configMap({}, {datum: {}}), metadata: {name: 'other'}});
    t.is(mistaken.code, 1);
    t.regex(mistaken.stderr, /unknown field "datum"/);
    t.is(await ok(['replace', '-f', '-'], configMap({colour: 'red'})), 'configmap/settings replaced\n');
    t.is(
      await ok(['create', '-f', '-', '--dry-run=server'], {...configMap({}), metadata: {name: 'other'}}),
      'configmap/other created (server dry run)\n',
    );
    t.is(await ok(['get', 'configmaps', '-o', 'jsonpath={.items[*].data.colour}']), 'red');
  });

  test(`${name} applies objects again, and merges lists by the markers of the document`, async (t) => {
    const {ok} = await inNamespace(t, binary);
    const apply = (input: object) => ok(['apply', '-f', '-'], input);
    t.is(await apply(configMap({colour: 'blue', size: '1'})), 'configmap/settings created\n');
    t.is(await apply(configMap({colour: 'red'})), 'configmap/settings configured\n');
    t.is(await ok(['get', 'configmap', 'settings', '-o', 'jsonpath={.data}']), '{"colour":"red"}');
    t.is(await apply(configMap({colour: 'red'})), 'configmap/settings unchanged\n');

    const web = {name: 'web', image: 'web:1', ports: [{containerPort: 80}]};
    t.is(await apply(deployment([web, {name: 'side', image: 'side:1'}])), 'deployment.apps/web created\n');
    // A container that somebody else added stays: the patch speaks of containers by their names.
    await ok([
      'patch',
      'deployment',
      'web',
      '-p',
      JSON.stringify({spec: {template: {spec: {containers: [{name: 'third', image: 'third:1'}]}}}}),
    ]);
    t.is(await apply(deployment([{...web, image: 'web:2'}], 2)), 'deployment.apps/web configured\n');
    const images = await ok(['get', 'deployment', 'web', '-o', 'jsonpath={.spec.template.spec.containers[*].image}']);
    t.deepEqual(images.split(' ').sort(), ['third:1', 'web:2']);
  });

  test(`${name} explains built-in types, whole and in part`, async (t) => {
    const {ok} = await inNamespace(t, binary);
    const output = '--output=plaintext-openapiv2';
    t.regex(await ok(['explain', 'configmap.data', output]), /KIND:\s+ConfigMap\nVERSION:\s+v1\n+FIELD:\s+data <map\[string\]string>/);
    t.regex(await ok(['explain', 'deployments.spec.template.spec.containers.resources', output]), /limits\s+<map\[string\]string>/);
    const whole = await ok(['explain', 'deployments', '--recursive', output]);
    t.regex(whole, /maxSurge\s+<string>/);
    t.regex(whole, /topologySpreadConstraints\s+<\[\]Object>/);
    t.regex(await ok(['explain', 'deployments', '--recursive']), /maxSurge\s+<IntOrString>/);
  });

  test(`${name} explains, creates and applies custom resources, whatever their schema says`, async (t) => {
    const {ok} = await inNamespace(t, binary);
    const group = `k${binary.minor}.example.com`;
    await ok(['create', '-f', '-'], definition(group));
    await ok(['wait', '--for=condition=Established', `crd/boxes.${group}`]);
    const explained = await ok(['explain', 'boxes.spec', '--recursive', '--output=plaintext-openapiv2', `--api-version=${group}/v1`]);
    for (const field of [/size\s+<integer>/, /content\s+<>/, /metadata\s+<Object>/, /left\s+<string>/]) t.regex(explained, field);
    const box = (size: number) => ({
      apiVersion: `${group}/v1`,
      kind: 'Box',
      metadata: {name: 'a'},
      spec: {size, owner: null, port: 'http', content: {any: [1]}, side: {left: 'x'}},
    });
    t.is(await ok(['create', '-f', '-', '--save-config'], box(1)), `box.${group}/a created\n`);
    t.is(await ok(['apply', '-f', '-'], box(2)), `box.${group}/a configured\n`);
    t.is(await ok(['get', `boxes.${group}`, 'a', '-o', 'jsonpath={.spec.size} {.spec.content.any[0]}']), '2 1');
    await ok(['delete', `crd/boxes.${group}`]);
  });
}
