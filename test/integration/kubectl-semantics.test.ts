import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import type {ApiObject} from '../../sdk/index.js';
import {until} from '../helpers/eventually.js';
import {httpsClient, type HttpsClient} from '../helpers/https-client.js';
import {findKubectls, kubectlFor, type Kubectl, type KubectlResult} from '../helpers/kubectl.js';
import {spawnOrch, type OrchProcess} from '../helpers/orch-process.js';
import {tempFolder} from '../helpers/temp-folder.js';

const binaries = findKubectls().filter(({minor}) => minor === undefined || minor >= 29);
const binary = binaries.find(({minor}) => minor === 33) ?? binaries.at(-1);
const where = binary ? test : test.skip;
const examples = ['resource-schema-only', 'resource-with-strategy'].map((name) =>
  fileURLToPath(new URL(`../../examples/${name}`, import.meta.url)),
);

/** A custom type with all subresources. */
const turbines = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'turbines.wind.example.com'},
  spec: {
    group: 'wind.example.com',
    scope: 'Namespaced',
    names: {plural: 'turbines', singular: 'turbine', kind: 'Turbine', listKind: 'TurbineList'},
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {type: 'object', properties: {replicas: {type: 'integer', format: 'int32'}, blades: {type: 'integer'}}},
              status: {type: 'object', properties: {replicas: {type: 'integer'}, phase: {type: 'string'}}},
            },
          },
        },
        subresources: {status: {}, scale: {specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas'}},
      },
    ],
  },
};

let orch: OrchProcess;
test.before(async (t) => {
  if (!binary) return;
  orch = await spawnOrch({platform: 'kubernetes', extra: examples.flatMap((folder) => ['--plugin', folder])});
  const kubectl = kubectlFor({teardown: () => undefined}, binary, orch.kubeconfig);
  await kubectl.ok(['create', '-f', '-'], {input: JSON.stringify(turbines)});
  t.regex(await kubectl.ok(['wait', '--for=condition=Established', 'crd/turbines.wind.example.com', '--timeout=10s']), /condition met/);
});
test.after.always(async () => {
  await orch?.stop();
});

let namespaces = 0;

/** A namespace of the test's own, with kubectl and a client in it. */
interface Workplace {
  readonly kubectl: Kubectl;
  readonly client: HttpsClient;
  /** Runs kubectl in the namespace. */
  readonly run: (argv: readonly string[], input?: object) => Promise<KubectlResult>;
  readonly ok: (argv: readonly string[], input?: object) => Promise<string>;
  /** Arguments with the namespace in front. */
  readonly within: (argv: readonly string[]) => string[];
  /** Path of a collection of the namespace. */
  readonly path: (resource: string, groupVersion?: string) => string;
  /** Reads the value at a JSON path of an object. */
  readonly field: (what: string, jsonPath: string) => Promise<string>;
}

async function workplace(t: ExecutionContext): Promise<Workplace> {
  const kubectl = kubectlFor(t, binary!, orch.kubeconfig);
  const client = httpsClient(t, orch);
  const namespace = `semantics-${++namespaces}`;
  t.is((await client.post('/api/v1/namespaces', {apiVersion: 'v1', kind: 'Namespace', metadata: {name: namespace}})).status, 201);
  const within = (argv: readonly string[]) => ['-n', namespace, ...argv];
  const options = (input?: object) => (input ? {input: JSON.stringify(input)} : {});
  const ok: Workplace['ok'] = (argv, input) => kubectl.ok(within(argv), options(input));
  return {
    kubectl,
    client,
    within,
    ok,
    run: (argv, input) => kubectl.run(within(argv), options(input)),
    path: (resource, groupVersion) => `${groupVersion ? `/apis/${groupVersion}` : '/api/v1'}/namespaces/${namespace}/${resource}`,
    field: (what, jsonPath) => ok(['get', what, '-o', `jsonpath={${jsonPath}}`]),
  };
}

const config = (data: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {name: 'settings', ...metadata},
  data,
});
const turbine = (spec: object) => ({apiVersion: 'wind.example.com/v1', kind: 'Turbine', metadata: {name: 'north'}, spec});
const widget = (spec: object) => ({apiVersion: 'examples.example.com/v1', kind: 'Widget', metadata: {name: 'door'}, spec});
const deployment = (replicas: number) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {name: 'web'},
  spec: {
    replicas,
    selector: {matchLabels: {app: 'web'}},
    template: {
      metadata: {labels: {app: 'web'}},
      spec: {
        containers: [
          {name: 'web', image: 'web:1'},
          {name: 'log', image: 'log:1'},
        ],
      },
    },
  },
});

if (!binary) test.skip('kubectl does what it does on Kubernetes (kubectl is not installed)', (t) => t.pass());

for (const [title, what, reply, object] of [
  ['a deployment', 'deployment/web', 'deployment.apps/web', deployment(1)],
  ['a custom resource', 'turbine/north', 'turbine.wind.example.com/north', turbine({replicas: 1, blades: 3})],
] as const) {
  where(`kubectl scales ${title}, and only from the count that it is told to expect`, async (t) => {
    const {ok, run, field} = await workplace(t);
    await ok(['create', '-f', '-'], object);
    t.is(await ok(['scale', what, '--replicas=4']), `${reply} scaled\n`);
    t.is(await field(what, '.spec.replicas'), '4');
    const refused = await run(['scale', what, '--current-replicas=1', '--replicas=2']);
    t.is(refused.code, 1);
    t.regex(refused.stderr, /Expected replicas to be 1, was 4/);
    t.is(await ok(['scale', what, '--current-replicas=4', '--replicas=2']), `${reply} scaled\n`);
    t.is(await field(what, '.spec.replicas'), '2');
    const negative = await run(['scale', what, '--replicas=-1']);
    t.is(negative.code, 1);
    t.is(await field(what, '.metadata.generation'), '3');
  });
}

where('kubectl cannot scale a type without that subresource', async (t) => {
  const {ok, run} = await workplace(t);
  await ok(['create', '-f', '-'], widget({size: 'small'}));
  const refused = await run(['scale', 'widget/door', '--replicas=2']);
  t.is(refused.code, 1);
  t.regex(refused.stderr, /could not find the requested resource|not found/i);
});

where(
  'kubectl delete --cascade says what becomes of the dependents: gone before their owner, gone after it, or left without owner [A-QP-24]',
  async (t) => {
    const {ok, client, path, run, field} = await workplace(t);
    const owned = async () => {
      await ok(['create', '-f', '-'], deployment(1));
      const uid = await field('deployment/web', '.metadata.uid');
      const owner = {apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid, controller: true, blockOwnerDeletion: true};
      const {spec} = deployment(1);
      await ok(['create', '-f', '-'], {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        metadata: {name: 'web-1', ownerReferences: [owner]},
        spec,
      });
    };
    const finalizers = async () => (await client.get(path('deployments/web', 'apps/v1'))).json<ApiObject>().metadata.finalizers;

    await owned();
    await ok(['patch', 'rs/web-1', '--type=merge', '-p', '{"metadata":{"finalizers":["example.com/hold"]}}']);
    t.is(await ok(['delete', 'deployment/web', '--cascade=foreground', '--wait=false']), 'deployment.apps "web" deleted\n');
    t.deepEqual(await finalizers(), ['foregroundDeletion']);
    await ok(['patch', 'rs/web-1', '--type=merge', '-p', '{"metadata":{"finalizers":null}}']);
    await run(['wait', '--for=delete', 'deployment/web', '--timeout=10s']);
    t.is(await ok(['get', 'deployments,replicasets', '-o', 'name']), '');

    await owned();
    t.is(await ok(['delete', 'deployment/web', '--cascade=foreground']), 'deployment.apps "web" deleted\n');
    t.is(await ok(['get', 'deployments,replicasets', '-o', 'name']), '');

    await owned();
    t.is(await ok(['delete', 'deployment/web', '--cascade=background']), 'deployment.apps "web" deleted\n');
    await run(['wait', '--for=delete', 'rs/web-1', '--timeout=10s']);
    t.is(await ok(['get', 'deployments,replicasets', '-o', 'name']), '');

    await owned();
    t.is(await ok(['delete', 'deployment/web', '--cascade=orphan']), 'deployment.apps "web" deleted\n');
    t.is(await ok(['get', 'deployments,replicasets', '-o', 'name']), 'replicaset.apps/web-1\n');
    t.is(await field('rs/web-1', '.metadata.ownerReferences'), '');

    await ok(['create', '-f', '-'], turbine({blades: 3}));
    t.is(await ok(['delete', 'turbine/north', '--cascade=background']), 'turbine.wind.example.com "north" deleted\n');
    t.is((await run(['delete', 'turbine/north'])).code, 1);
    t.is(await ok(['delete', 'turbine/north', '--ignore-not-found']), '');
  },
);

where('kubectl delete namespace empties it, tells what it waits for, and returns when it is gone', async (t) => {
  const {ok, run, within, kubectl} = await workplace(t);
  const namespace = within([])[1]!;
  await ok(['create', '-f', '-'], config({}, {finalizers: ['example.com/hold']}));
  await ok(['create', 'secret', 'generic', 'other']);
  const whole = (argv: string[]) => kubectl.ok(argv);
  t.is(await whole(['delete', 'namespace', namespace, '--wait=false']), `namespace "${namespace}" deleted\n`);
  const late = await run(['create', 'configmap', 'late']);
  t.is(
    late.stderr,
    `error: failed to create configmap: configmaps "late" is forbidden: unable to create new content in namespace ${namespace} because it is being terminated\n`,
  );
  const described = await until('what it waits for', async () => {
    const text = await whole(['describe', 'namespace', namespace]);
    return /NamespaceFinalizersRemaining/.test(text) && text;
  });
  t.regex(described, /^Status: +Terminating$/m);
  const conditions = [
    'NamespaceDeletionDiscoveryFailure +False .* ResourcesDiscovered +All resources successfully discovered',
    'NamespaceDeletionGroupVersionParsingFailure +False .* ParsedGroupVersions +All legacy kube types successfully parsed',
    'NamespaceDeletionContentFailure +False .* ContentDeleted +All content successfully deleted, may be waiting on finalization',
    'NamespaceContentRemaining +True .* SomeResourcesRemain +Some resources are remaining: configmaps. has 1 resource instances',
    'NamespaceFinalizersRemaining +True .* SomeFinalizersRemain +Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
  ];
  for (const condition of conditions) t.regex(described, new RegExp(`^ +${condition}$`, 'm'));
  t.is((await run(['get', 'secret', 'other'])).code, 1);
  t.regex(await whole(['get', 'namespace', namespace, '--no-headers']), new RegExp(`^${namespace} +Terminating +\\d+s\\n$`));

  const deleting = kubectl.start(['delete', 'namespace', namespace]);
  await deleting.until(/deleted/);
  t.is(deleting.child.exitCode, null);
  const ended = new Promise<number | null>((resolve) => deleting.child.once('exit', resolve));
  await ok(['patch', 'configmap/settings', '--type=merge', '-p', '{"metadata":{"finalizers":null}}']);
  t.is(await ended, 0);
  t.regex((await kubectl.run(['get', 'namespace', namespace])).stderr, /^Error from server \(NotFound\): namespaces ".*" not found\n$/);
});

where('kubectl delete waits until the last finalizer is gone', async (t) => {
  const {ok, client, path, kubectl, within} = await workplace(t);
  await ok(['create', '-f', '-'], config({}, {finalizers: ['example.com/hold']}));
  const deleting = kubectl.start(within(['delete', 'configmap/settings']));
  await deleting.until(/configmap "settings" deleted/);
  t.is(deleting.child.exitCode, null);
  const ended = new Promise<number | null>((resolve) => deleting.child.once('exit', resolve));
  t.is((await client.patch(path('configmaps/settings'), {metadata: {finalizers: null}})).status, 200);
  t.is(await ended, 0);
});

where('kubectl get --chunk-size reads everything, as table, names and objects, whatever the size', async (t) => {
  const {ok, client, path} = await workplace(t);
  const count = 23;
  await Promise.all(
    Array.from({length: count}, (_, index) =>
      client.post(path('turbines', 'wind.example.com/v1'), {...turbine({}), metadata: {name: `t-${index}`}}),
    ),
  );
  for (const size of [0, 1, 5, count, 500]) {
    t.is((await ok(['get', 'turbines', `--chunk-size=${size}`, '-o', 'name'])).trim().split('\n').length, count, String(size));
    t.is((await ok(['get', 'turbines', `--chunk-size=${size}`, '--no-headers'])).trim().split('\n').length, count, String(size));
  }
  const {items} = JSON.parse(await ok(['get', 'turbines', '--chunk-size=4', '-o', 'json'])) as {items: unknown[]};
  t.is(items.length, count);
});

where('kubectl get -w shows what comes, changes and goes', async (t) => {
  const {ok, kubectl, within} = await workplace(t);
  await ok(['create', '-f', '-'], turbine({blades: 3}));
  const watching = kubectl.start(
    within([
      'get',
      'turbines',
      '-w',
      '--output-watch-events',
      '-o',
      'custom-columns=EVENT:.type,NAME:.object.metadata.name,BLADES:.object.spec.blades',
    ]),
  );
  await watching.until(/ADDED\s+north\s+3\n/);
  await ok(['patch', 'turbine/north', '--type=merge', '-p', '{"spec":{"blades":4}}']);
  await watching.until(/MODIFIED\s+north\s+4\n/);
  await ok(['delete', 'turbine/north']);
  await watching.until(/DELETED\s+north\s+4\n/);
  t.pass();
});

where('kubectl wait sees a value, a condition and a deletion come, and ends with an error when they do not', async (t) => {
  const {ok, run, kubectl, within, client, path} = await workplace(t);
  await ok(['create', '-f', '-'], turbine({blades: 3}));
  const status = path('turbines/north/status', 'wind.example.com/v1');
  const ended = (waiting: {child: {once(event: 'exit', listener: (code: number | null) => void): unknown}}) =>
    new Promise<number | null>((resolve) => waiting.child.once('exit', resolve));
  const value = kubectl.start(within(['wait', '--for=jsonpath={.status.phase}=Running', 'turbine/north', '--timeout=20s']));
  const valueEnd = ended(value);
  t.is((await client.patch(status, {status: {phase: 'Starting'}})).status, 200);
  t.is((await client.patch(status, {status: {phase: 'Running'}})).status, 200);
  t.is(await valueEnd, 0, value.output());
  t.regex(value.output(), /^turbine\.wind\.example\.com\/north condition met$/m);
  const deletion = kubectl.start(within(['wait', '--for=delete', 'turbine/north', '--timeout=20s']));
  const deletionEnd = ended(deletion);
  await ok(['delete', 'turbine/north']);
  t.is(await deletionEnd, 0, deletion.output());
  await ok(['create', '-f', '-'], deployment(1));
  await client.patch(path('deployments/web/status', 'apps/v1'), {status: {conditions: [{type: 'Available', status: 'True'}]}});
  t.is(await ok(['wait', '--for=condition=Available', 'deployment/web', '--timeout=20s']), 'deployment.apps/web condition met\n');
  const late = await run(['wait', '--for=jsonpath={.spec.replicas}=9', 'deployment/web', '--timeout=1s']);
  t.is(late.code, 1);
  t.regex(late.stderr, /timed out waiting for the condition on deployments\/web/);
});

where('kubectl replace changes an object that is there, and with --force makes it anew', async (t) => {
  const {ok, run, field} = await workplace(t);
  const missing = await run(['replace', '-f', '-'], turbine({blades: 3}));
  t.is(missing.code, 1);
  t.regex(missing.stderr, /NotFound/);
  await ok(['create', '-f', '-'], turbine({blades: 3, replicas: 2}));
  const uid = await field('turbine/north', '.metadata.uid');
  t.is(await ok(['replace', '-f', '-'], turbine({blades: 5})), 'turbine.wind.example.com/north replaced\n');
  t.is(await field('turbine/north', '.spec'), '{"blades":5}');
  t.is(await field('turbine/north', '.metadata.uid'), uid);
  await ok(['replace', '--force', '-f', '-'], turbine({blades: 6}));
  t.is(await field('turbine/north', '.spec.blades'), '6');
  t.not(await field('turbine/north', '.metadata.uid'), uid);
});

where('kubectl --dry-run=server gets what would be, and leaves nothing', async (t) => {
  const {ok, run, field} = await workplace(t);
  const dry = '--dry-run=server';
  const shown = JSON.parse(await ok(['create', dry, '-o', 'json', '-f', '-'], deployment(1))) as ReturnType<typeof deployment> & {
    spec: {strategy: {type: string}};
  };
  t.is(shown.spec.strategy.type, 'RollingUpdate');
  t.is((await run(['get', 'deployment/web'])).code, 1);
  await ok(['create', '-f', '-'], deployment(1));
  const version = await field('deployment/web', '.metadata.resourceVersion');
  t.is(await ok(['patch', 'deployment/web', dry, '-p', '{"spec":{"replicas":5}}', '-o', 'jsonpath={.spec.replicas}']), '5');
  t.regex(await ok(['replace', dry, '-f', '-'], deployment(6)), /replaced \(server dry run\)/);
  t.regex(await ok(['scale', 'deployment/web', dry, '--replicas=7']), /scaled/);
  t.regex(await ok(['label', 'deployment/web', dry, 'a=b']), /labeled \(server dry run\)/);
  t.regex(await ok(['delete', 'deployment/web', dry]), /deleted.* \(server dry run\)/);
  t.is(await field('deployment/web', '.metadata.resourceVersion'), version);
  const invalid = await run(['create', dry, '-f', '-'], {...deployment(-1), metadata: {name: 'other'}});
  t.is(invalid.code, 1);
  t.regex(invalid.stderr, /spec\.replicas: Invalid value: -1/);
});

where('kubectl --validate=strict refuses unknown fields, warn tells of them, ignore is silent', async (t) => {
  const {ok, run, field} = await workplace(t);
  for (const [object, what] of [
    [{...config({a: '1'}), datum: {}}, 'configmap/settings'],
    [turbine({blades: 3, tint: 'white'}), 'turbine/north'],
    [widget({size: 'small', weight: 3}), 'widget/door'],
  ] as const) {
    const unknown = /unknown field "(?:spec\.)?(?:datum|tint|weight)"/;
    const strict = await run(['create', '--validate=strict', '-f', '-'], object);
    t.is(strict.code, 1, what);
    t.regex(strict.stderr, unknown);
    t.is((await run(['get', what])).code, 1);
    const warned = await run(['create', '--validate=warn', '-f', '-'], object);
    t.is(warned.code, 0, warned.stderr);
    t.regex(warned.stderr, /^Warning: /);
    t.regex(warned.stderr, unknown);
    const silent = await run(['replace', '--validate=ignore', '-f', '-'], object);
    t.is(silent.code, 0, silent.stderr);
    t.is(silent.stderr, '');
    t.notRegex(await field(what, ''), /datum|tint|weight/);
  }
  t.is(await ok(['create', '--validate=strict', '-f', '-'], deployment(1)), 'deployment.apps/web created\n');
});

where('kubectl patches containers by name, values by path, and members by merging', async (t) => {
  const {ok, run, field} = await workplace(t);
  await ok(['create', '-f', '-'], deployment(1));
  const images = () => field('deployment/web', '.spec.template.spec.containers[*].image');
  const strategic = {spec: {template: {spec: {containers: [{name: 'log', image: 'log:2'}]}}}};
  t.is(await ok(['patch', 'deployment/web', '-p', JSON.stringify(strategic)]), 'deployment.apps/web patched\n');
  t.is(await images(), 'web:1 log:2');
  t.is(await ok(['patch', 'deployment/web', '-p', JSON.stringify(strategic)]), 'deployment.apps/web patched (no change)\n');
  await ok([
    'patch',
    'deployment/web',
    '-p',
    JSON.stringify({
      spec: {
        template: {
          spec: {
            containers: [
              {$patch: 'delete', name: 'log'},
              {name: 'side', image: 'side:1'},
            ],
          },
        },
      },
    }),
  ]);
  t.deepEqual((await images()).split(' ').sort(), ['side:1', 'web:1']);
  await ok([
    'patch',
    'deployment/web',
    '--type=json',
    '-p',
    '[{"op":"test","path":"/spec/replicas","value":1},{"op":"replace","path":"/spec/replicas","value":3}]',
  ]);
  t.is(await field('deployment/web', '.spec.replicas'), '3');
  const failed = await run([
    'patch',
    'deployment/web',
    '--type=json',
    '-p',
    '[{"op":"test","path":"/spec/replicas","value":1},{"op":"remove","path":"/spec/replicas"}]',
  ]);
  t.is(failed.code, 1);
  t.is(await field('deployment/web', '.spec.replicas'), '3');
  await ok([
    'patch',
    'deployment/web',
    '--type=merge',
    '-p',
    JSON.stringify({spec: {template: {spec: {containers: [{name: 'only', image: 'only:1'}]}}}}),
  ]);
  t.is(await images(), 'only:1');
});

where('kubectl patches custom resources by JSON and merge patch, their subresources too, and not strategically', async (t) => {
  const {ok, run, field} = await workplace(t);
  await ok(['create', '-f', '-'], turbine({blades: 3}));
  await ok(['patch', 'turbine/north', '--type=merge', '-p', '{"spec":{"replicas":2}}']);
  await ok(['patch', 'turbine/north', '--type=json', '-p', '[{"op":"replace","path":"/spec/blades","value":4}]']);
  t.deepEqual(JSON.parse(await field('turbine/north', '.spec')), {blades: 4, replicas: 2});
  await ok(['patch', 'turbine/north', '--subresource=status', '--type=merge', '-p', '{"status":{"phase":"Running"},"spec":{"blades":9}}']);
  t.is(await field('turbine/north', '.status.phase'), 'Running');
  t.is(await field('turbine/north', '.spec.blades'), '4');
  const strategic = await run(['patch', 'turbine/north', '--type=strategic', '-p', '{"spec":{"blades":5}}']);
  t.is(strategic.code, 1);
  t.regex(
    strategic.stderr,
    /the body of the request was in an unknown format - accepted media types include: application\/json-patch\+json, application\/merge-patch\+json, /,
  );
});

where('kubectl diff shows what an apply would change, on built-in and custom types, with exit code 1, and changes nothing', async (t) => {
  const {ok, run, field} = await workplace(t);
  for (const [before, after, what, line] of [
    [deployment(1), deployment(3), 'deployment/web', /^\+\s+replicas: 3$/m],
    [turbine({blades: 3}), turbine({blades: 4}), 'turbine/north', /^\+\s+blades: 4$/m],
  ] as const) {
    await ok(['apply', '-f', '-'], before);
    const same = await run(['diff', '-f', '-'], before);
    t.is(same.code, 0, same.stdout + same.stderr);
    const version = await field(what, '.metadata.resourceVersion');
    const changed = await run(['diff', '-f', '-'], after);
    t.is(changed.code, 1, changed.stderr);
    t.regex(changed.stdout, line);
    t.is(await field(what, '.metadata.resourceVersion'), version);
  }
});

where('kubectl apply of a custom resource: ownership, conflict, --force-conflicts, and fields that are left out', async (t) => {
  const {run, field, kubectl, within} = await workplace(t);
  const file = join(tempFolder(t), 'turbine.json');
  const apply = (spec: object, ...flags: string[]) => {
    writeFileSync(file, JSON.stringify(turbine(spec)));
    return kubectl.run(within(['apply', '--server-side', ...flags, '-f', file]));
  };
  t.is((await apply({blades: 3, replicas: 1})).stdout, 'turbine.wind.example.com/north serverside-applied\n');
  const refused = await apply({blades: 4}, '--field-manager=other');
  t.is(refused.code, 1);
  t.regex(refused.stderr, /conflict with "kubectl": \.spec\.blades/);
  t.is((await apply({blades: 4}, '--field-manager=other', '--force-conflicts')).code, 0);
  t.is((await apply({replicas: 1})).code, 0);
  t.deepEqual(JSON.parse(await field('turbine/north', '.spec')), {blades: 4, replicas: 1});
  t.is((await apply({}, '--field-manager=other')).code, 0);
  t.is(await field('turbine/north', '.spec'), '{"replicas":1}');
  const typed = await run(['apply', '--server-side', '-f', '-'], turbine({blades: 'three'}));
  t.is(typed.code, 1);
});
