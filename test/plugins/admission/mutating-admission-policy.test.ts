import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../helpers/eventually.js';

const group = 'admissionregistration.k8s.io';
const url = (plural: string, version = 'v1') => `/apis/${group}/${version}/${plural}`;
const policies = 'mutatingadmissionpolicies';
const bindings = 'mutatingadmissionpolicybindings';
const configMaps = '/api/v1/namespaces/default/configmaps';
const rule = {operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps']};
const matchConstraints = {resourceRules: [rule]};
const at = (release: string, options: object = {}): Promise<TestServer> => startTestServer({platform: 'kubernetes', release, ...options});
const apply = (expression: string) => ({patchType: 'ApplyConfiguration', applyConfiguration: {expression}});
const patch = (expression: string) => ({patchType: 'JSONPatch', jsonPatch: {expression}});

interface ConfigMap {
  readonly metadata: {readonly labels?: Record<string, string>; readonly annotations?: Record<string, string>};
  readonly data?: Record<string, string>;
  readonly immutable?: boolean;
}

const create = (server: TestServer, name: string, more: object = {}) => server.client.post(configMaps, {metadata: {name}, ...more});

/** Makes policies with a binding each. */
async function make(server: TestServer, specs: Record<string, object>, version = 'v1', binding: object = {}): Promise<void> {
  for (const [name, spec] of Object.entries(specs)) {
    for (const [plural, body] of [
      [policies, {metadata: {name}, spec: {matchConstraints, reinvocationPolicy: 'Never', ...spec}}],
      [bindings, {metadata: {name: `${name}-binding`}, spec: {policyName: name, ...binding}}],
    ] as const) {
      const made = await server.client.post(`${url(plural, version)}?fieldValidation=Strict`, body);
      if (made.status !== 201) throw new Error(made.body.toString());
    }
  }
}

/** Makes policies, and waits until they are in effect: the last one adds a label to what is named `probe…`. */
async function enforce(server: TestServer, specs: Record<string, object>, version?: string, binding?: object): Promise<void> {
  await make(server, specs, version, binding);
  const last = {
    matchConditions: [{name: 'probe', expression: "object.metadata.name.startsWith('probe')"}],
    mutations: [apply("Object{metadata: Object.metadata{labels: {'last': 'seen'}}}")],
  };
  await make(server, {zzz: last}, version);
  let count = 0;
  await eventually(
    async () => {
      const made = await server.client.post(`${configMaps}?dryRun=All`, {metadata: {name: `probe-${++count}`}});
      return {seen: made.status !== 201 || made.json<ConfigMap>().metadata.labels?.['last'] === 'seen'};
    },
    ({seen}) => seen,
  );
}

for (const {release, byDefault, withAll, isOn} of [
  {release: '1.31', byDefault: [], withAll: [], isOn: false},
  {release: '1.32', byDefault: [], withAll: ['v1alpha1'], isOn: false},
  {release: '1.34', byDefault: [], withAll: ['v1beta1', 'v1alpha1'], isOn: false},
  {release: '1.36', byDefault: ['v1'], withAll: ['v1', 'v1beta1', 'v1alpha1'], isOn: true},
]) {
  test.serial(
    `mutating policies are served in [${byDefault.join(', ')}] at release ${release}, with all APIs on in [${withAll.join(', ')}]`,
    async (t) => {
      for (const [runtimeConfig, versions] of [
        [{}, byDefault],
        [{'api/all': true}, withAll],
      ] as const) {
        await using server = await at(release, {runtimeConfig});
        for (const version of ['v1', 'v1beta1', 'v1alpha1']) {
          const found = await server.client.get(`/apis/${group}/${version}`);
          const names = found.status === 200 ? found.json<{resources: {name: string}[]}>().resources.map(({name}) => name) : [];
          t.is(names.includes(policies), versions.includes(version), version);
          t.is(names.includes(bindings), versions.includes(version), version);
          t.false(names.includes(`${policies}/status`));
        }
        if (versions.length === 0) continue;
        const made = await server.client.post(url(policies, versions[0]), {
          metadata: {name: 'p'},
          spec: {matchConstraints, reinvocationPolicy: 'Never', mutations: [apply('Object{}')]},
        });
        t.is(made.status, 201, made.body.toString());
        t.is(made.headers['warning'] === undefined, isOn, String(made.headers['warning']));
      }
    },
  );
}

for (const [release, version] of [
  ['1.32', 'v1alpha1'],
  ['1.34', 'v1beta1'],
] as const) {
  test.serial(`policies of ${version} take effect at release ${release} when their gate and version are on`, async (t) => {
    await using server = await at(release, {
      featureGates: {MutatingAdmissionPolicy: true},
      runtimeConfig: {[`${group}/${version}`]: true},
    });
    await enforce(server, {p: {mutations: [apply("Object{data: {'from': 'policy'}}")]}}, version);
    t.deepEqual((await create(server, 'c')).json<ConfigMap>().data, {from: 'policy'});
  });
}

test.serial('an apply configuration is merged: what it does not name stays', async (t) => {
  await using server = await at('1.36');
  await enforce(server, {
    p: {
      variables: [{name: 'name', expression: "object.metadata.name + '-x'"}],
      matchConditions: [{name: 'unmarked', expression: "object.metadata.name.startsWith('c')"}],
      mutations: [
        apply(`Object{ // what all have
          metadata: Object.metadata{labels: {"name": string(variables.name), "made": string(1 + 1)}},
          ?immutable: has(object.data) ? optional.of(true) : optional.none(),
        }`),
      ],
    },
  });
  const one = (await create(server, 'c1', {metadata: {name: 'c1', labels: {own: 'yes'}}, data: {a: 'b'}})).json<ConfigMap>();
  t.deepEqual(one.metadata.labels, {own: 'yes', name: 'c1-x', made: '2'});
  t.is(one.immutable, true);
  t.deepEqual(one.data, {a: 'b'});
  t.is((await create(server, 'c2')).json<ConfigMap>().immutable, undefined);
  t.is((await create(server, 'other')).json<ConfigMap>().metadata.labels, undefined);
});

test.serial('items of a list are merged by their keys, as with server-side apply', async (t) => {
  await using server = await at('1.36');
  const pods = {resourceRules: [{operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods']}]};
  await enforce(server, {
    sidecar: {
      matchConstraints: pods,
      mutations: [
        apply(`Object{spec: Object.spec{
          containers: object.spec.containers.map(c, Object.spec.containers{
            name: c.name, env: [Object.spec.containers.env{name: "ZONE", value: "north"}]}),
          initContainers: [Object.spec.initContainers{name: "mesh", image: "mesh:1", restartPolicy: "Always"}]}}`),
      ],
    },
  });
  const made = await server.client.post('/api/v1/namespaces/default/pods', {
    metadata: {name: 'p'},
    spec: {containers: [{name: 'a', image: 'a:1', env: [{name: 'OWN', value: '1'}]}]},
  });
  t.is(made.status, 201, made.body.toString());
  const {spec} = made.json<{spec: {containers: object[]; initContainers: object[]}}>();
  t.like(spec.containers[0], {
    name: 'a',
    image: 'a:1',
    env: [
      {name: 'OWN', value: '1'},
      {name: 'ZONE', value: 'north'},
    ],
  });
  t.like(spec.initContainers[0], {name: 'mesh', restartPolicy: 'Always', imagePullPolicy: 'IfNotPresent'});
});

test.serial('a JSON patch is applied in order; one whose test does not hold changes nothing', async (t) => {
  await using server = await at('1.36');
  await enforce(server, {
    p: {
      matchConditions: [{name: 'data', expression: 'has(object.data)'}],
      mutations: [
        patch(`[
          JSONPatch{op: "test", path: "/data/kind", value: "marked"},
          JSONPatch{op: "add", path: "/metadata/annotations", value: {}},
          JSONPatch{op: "add", path: "/metadata/annotations/" + jsonpatch.escapeKey("example.com/a"), value: string(object.data.size())},
          JSONPatch{op: "test", path: "/metadata/annotations", value: {"example.com/a": "1"}},
          JSONPatch{op: "copy", from: "/data/kind", path: "/data/copied"},
        ]`),
        patch('[JSONPatch{op: "replace", path: "/immutable", value: true}].filter(p, has(object.data.copied) && has(object.immutable))'),
      ],
    },
  });
  const answer = await create(server, 'marked', {data: {kind: 'marked'}, immutable: false});
  t.is(answer.status, 201, answer.body.toString());
  const marked = answer.json<ConfigMap>();
  t.deepEqual(marked.metadata.annotations, {'example.com/a': '1'});
  t.deepEqual(marked.data, {kind: 'marked', copied: 'marked'});
  t.is(marked.immutable, true);
  const plain = (await create(server, 'plain', {data: {kind: 'plain'}})).json<ConfigMap>();
  t.deepEqual([plain.data, plain.metadata.annotations], [{kind: 'plain'}, undefined]);
});

test.serial(
  'what a policy cannot do refuses the write, with the reasons of all policies; with failurePolicy Ignore it does not',
  async (t) => {
    await using server = await at('1.36');
    const named = (name: string) => [{name: 'named', expression: `object.metadata.name == '${name}'`}];
    await enforce(server, {
      a: {matchConditions: named('both'), mutations: [apply('Object{data: Object.wrong{a: "b"}}')]},
      b: {matchConditions: named('both'), mutations: [apply('Object{metadata: Object.metadata{labels: {"x": object.data.missing}}}')]},
      c: {matchConditions: named('unknown'), mutations: [apply('Object{spec: Object.spec{a: 1}}')]},
      d: {matchConditions: named('strict'), mutations: [patch('[JSONPatch{op: "add", path: "/wrong", value: 1}]')]},
      e: {
        matchConditions: named('open'),
        failurePolicy: 'Ignore',
        mutations: [apply('Object{spec: Object.spec{a: 1}}'), apply('Object{data: {"went": "on"}}')],
      },
      f: {matchConditions: named('absent'), mutations: [patch('[JSONPatch{op: "remove", path: "/data"}]')]},
    });
    const both = await create(server, 'both');
    t.is(both.status, 403);
    const {reason, message} = both.json<{reason: string; message: string}>();
    const first = `policy 'a' with binding 'a-binding' denied request: type mismatch: unexpected type name "Object.wrong", expected "Object.data", which matches field name path from root Object type`;
    t.deepEqual([reason, message], ['Invalid', first]);
    t.deepEqual(
      both.json<{details: {causes: {message: string}[]}}>().details.causes.map(({message: cause}) => cause),
      [
        first,
        `policy 'b' with binding 'b-binding' denied request: expression 'Object{metadata: Object.metadata{labels: {"x": object.data.missing}}}' resulted in error: no such key: data`,
      ],
    );
    const said = async (name: string) => (await create(server, name)).json<{message: string}>().message;
    t.is(
      await said('unknown'),
      `policy 'c' with binding 'c-binding' denied request: error applying patch: failed to convert patch object to typed object: .spec: field not declared in schema`,
    );
    t.is(await said('strict'), 'Internal error occurred: strict decoding error: unknown field "wrong"');
    t.regex(await said('absent'), /^policy 'f' with binding 'f-binding' denied request: JSON Patch: /);
    t.deepEqual((await create(server, 'open')).json<ConfigMap>().data, {went: 'on'});
  },
);

test.serial('lists and structures that are replaced as a whole cannot be applied in parts', async (t) => {
  await using server = await at('1.36');
  const services = {resourceRules: [{operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['services']}]};
  await enforce(server, {
    p: {matchConstraints: services, mutations: [apply('Object{spec: Object.spec{selector: Object.spec.selector{app: "a"}}}')]},
  });
  const made = await server.client.post('/api/v1/namespaces/default/services', {metadata: {name: 's'}, spec: {ports: [{port: 80}]}});
  t.is(made.status, 403);
  t.true(
    made
      .json<{message: string}>()
      .message.endsWith('error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.selector'),
    made.body.toString(),
  );
});

test.serial('a policy that asks for it is evaluated once more when a later one has changed the object', async (t) => {
  await using server = await at('1.36');
  const count = patch(`[has(object.data)
    ? JSONPatch{op: "replace", path: "/data/count", value: object.data.count + "+"}
    : JSONPatch{op: "add", path: "/data", value: {"count": "+"}}]`);
  const note = (name: string) =>
    apply(`Object{metadata: Object.metadata{annotations: {"${name}": has(object.metadata.labels) ? "seen" : "unseen"}}}`);
  await enforce(server, {
    again: {reinvocationPolicy: 'IfNeeded', mutations: [note('again')]},
    changes: {mutations: [apply("Object{metadata: Object.metadata{labels: {'changed': 'yes'}}}")]},
    counts: {mutations: [count]},
    once: {mutations: [note('once')]},
  });
  const answer = await create(server, 'c');
  t.is(answer.status, 201, answer.body.toString());
  const made = answer.json<ConfigMap>();
  t.deepEqual(made.metadata.annotations, {again: 'seen', once: 'seen'});
  t.deepEqual(made.data, {count: '+'});
});

test.serial('params are read as those of validating policies', async (t) => {
  await using server = await at('1.36');
  await create(server, 'params', {data: {label: 'north'}});
  const spec = {
    paramKind: {apiVersion: 'v1', kind: 'ConfigMap'},
    matchConditions: [{name: 'others', expression: "object.metadata.name != 'params' && params != null"}],
    mutations: [apply("Object{metadata: Object.metadata{labels: {'zone': params.data.label}}}")],
  };
  await make(server, {params: spec}, 'v1', {paramRef: {name: 'params', parameterNotFoundAction: 'Deny'}});
  await enforce(server, {});
  t.deepEqual((await create(server, 'c')).json<ConfigMap>().metadata.labels, {zone: 'north'});
  await server.client.delete(`${configMaps}/params`);
  const refused = await create(server, 'd');
  t.is(refused.status, 403);
  t.regex(
    refused.json<{message: string}>().message,
    /^policy 'params' with binding 'params-binding' denied request: failed to configure binding: /,
  );
});

test.serial('expressions that take too much refuse the write', async (t) => {
  await using server = await at('1.36');
  const numbers = `[${Array.from({length: 200}, (_, index) => index).join()}]`;
  await enforce(server, {
    p: {
      matchConditions: [{name: 'named', expression: "object.metadata.name == 'dear'"}],
      mutations: [apply(`Object{data: {"a": string(${numbers}.map(a, ${numbers}.map(b, ${numbers}.map(c, a * b * c))).size())}}`)],
    },
  });
  const made = await create(server, 'dear');
  t.is(made.status, 403);
  t.regex(made.json<{message: string}>().message, /resulted in error: operation cancelled: actual cost limit exceeded$/);
});
