import test, {type ExecutionContext} from 'ava';
import {startTestServer, type TestClient, type TestResponse} from '@orch-api/orch/testing';
import {testOnEachStore, type StoreContext} from '../../helpers/each-store.js';
import {eventually} from '../../helpers/eventually.js';
import {startRedis} from '../../helpers/redis-server.js';
import {definition, establish, freshGroup, version} from '../resources/apiextensions/definition-fixture.js';

const group = 'admissionregistration.orch/v1alpha1';
const policies = `/apis/${group}/validatingadmissionpolicies`;
const bindings = `/apis/${group}/validatingadmissionpolicybindings`;
const options = {featureGates: {ValidatingAdmissionPolicy: true}, runtimeConfig: {[group]: true}};
const eachStore = testOnEachStore(options);

interface Failure {
  readonly message: string;
  readonly reason: string;
  readonly details?: {readonly causes?: readonly {readonly message: string}[]};
}

let count = 0;

interface PolicySpec {
  readonly validations: readonly object[];
  readonly rules?: readonly object[];
  readonly [member: string]: unknown;
}

const configMaps = {operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps']};

/** Makes a policy for the test's namespace and a binding; answers its name once it is in effect on the server of the client. */
async function policy(
  t: ExecutionContext,
  {client, namespace}: Pick<StoreContext, 'client' | 'namespace'>,
  {rules = [configMaps], matchConstraints, ...spec}: PolicySpec & {matchConstraints?: object},
  binding: object = {},
): Promise<string> {
  const name = `policy-${++count}`;
  const constraints = {
    resourceRules: rules,
    ...matchConstraints,
  };
  const namespaceSelector = {matchExpressions: [{key: 'orch/metadata.name', operator: 'In', values: [namespace]}]};
  const made = await client.post(policies, {metadata: {name}, spec: {...spec, matchConstraints: {...constraints, namespaceSelector}}});
  t.is(made.status, 201, made.body.toString());
  t.is(made.headers['warning'], undefined);
  const bound = await client.post(bindings, {metadata: {name: `${name}-binding`}, spec: {policyName: name, ...binding}});
  t.is(bound.status, 201, bound.body.toString());
  return name;
}

const create = (client: TestClient, path: string, name: string, members: object = {}) => client.post(path, {metadata: {name}, ...members});

/** Writes until the policies refuse: a change takes effect a moment after it was written. */
function refusedSoon(t: ExecutionContext, write: () => Promise<TestResponse>): Promise<Failure & {code: number}> {
  return eventually(
    async () => {
      const response = await write();
      return {...response.json<Failure>(), code: response.status};
    },
    ({code}) => code >= 400,
  ).then((failure) => {
    t.true(failure.code >= 400);
    return failure;
  });
}

eachStore('a policy refuses what breaks its rule, in the words of Kubernetes, and lets pass what keeps it', async (t, context) => {
  const {client, path} = context;
  const name = await policy(t, context, {validations: [{expression: `object.data.size == 'small'`}]});
  const write = (size: string, suffix = '') => create(client, `${path('configmaps')}?dryRun=All`, `c${suffix}`, {data: {size}});
  const failure = await refusedSoon(t, () => write('large'));
  const text = `ValidatingAdmissionPolicy '${name}' with binding '${name}-binding' denied request: failed expression: object.data.size == 'small'`;
  t.is(failure.code, 422);
  t.is(failure.reason, 'Invalid');
  t.is(failure.message, `configmaps "c" is forbidden: ${text}`);
  t.deepEqual(failure.details?.causes, [{message: text}]);
  t.is((await write('small')).status, 201);
});

eachStore('message and reason of a rule are those of the refusal', async (t, context) => {
  const {client, path} = context;
  await policy(t, context, {
    validations: [
      {expression: `!has(object.data.secret)`, message: ' no secrets here ', reason: 'Forbidden'},
      {expression: `!has(object.data.huge)`, message: 'too huge', reason: 'RequestEntityTooLarge'},
    ],
  });
  const refused = (data: object) => refusedSoon(t, () => create(client, `${path('configmaps')}?dryRun=All`, 'c', {data}));
  const forbidden = await refused({secret: 'x'});
  t.is(forbidden.code, 403);
  t.is(forbidden.reason, 'Forbidden');
  t.regex(forbidden.message, /denied request: no secrets here$/);
  const large = await refused({huge: 'x'});
  t.is(large.code, 413);
  t.is(large.reason, 'RequestEntityTooLarge');
});

eachStore('rules see the object before, the request and who makes it', async (t, context) => {
  const {client, path} = context;
  await policy(t, context, {
    rules: [{...configMaps, operations: ['*']}],
    validations: [
      {expression: `oldObject == null || object == null || object.data.fixed == oldObject.data.fixed`, message: 'fixed'},
      {expression: `request.operation != 'DELETE' || oldObject.data.fixed == 'no'`, message: 'kept'},
      {
        expression: `request.userInfo.groups.exists(g, g == 'system:masters') && request.resource.resource == 'configmaps' && request.namespace != '' && request.name in ['a', 'b']`,
        message: 'stranger',
      },
    ],
  });
  const stranger = await refusedSoon(t, () => create(client, `${path('configmaps')}?dryRun=All`, 'c', {data: {}}));
  t.regex(stranger.message, /denied request: stranger$/);
  t.is((await create(client, path('configmaps'), 'a', {data: {fixed: 'yes'}})).status, 201);
  const changed = await client.patch(`${path('configmaps')}/a`, {data: {fixed: 'no'}});
  t.regex(changed.json<Failure>().message, /denied request: fixed$/);
  t.is((await client.patch(`${path('configmaps')}/a`, {data: {other: 'x'}})).status, 200);
  t.regex((await client.delete(`${path('configmaps')}/a`)).json<Failure>().message, /denied request: kept$/);
});

eachStore('parameters come from the object that the binding names, in whatever state it is', async (t, context) => {
  const {client, path, namespace} = context;
  await create(client, path('configmaps'), 'limit', {data: {max: '2'}});
  await policy(
    t,
    context,
    {
      paramKind: {apiVersion: 'v1', kind: 'ConfigMap'},
      rules: [{...configMaps, resources: ['secrets']}],
      validations: [{expression: `params == null || size(object.data) <= int(params.data.max)`, message: 'too many'}],
    },
    {paramRef: {name: 'limit', namespace}},
  );
  const write = (n: number) =>
    create(client, `${path('secrets')}?dryRun=All`, 's', {data: Object.fromEntries(Array.from({length: n}, (_, i) => [`k${i}`, '']))});
  t.regex((await refusedSoon(t, () => write(3))).message, /denied request: too many$/);
  t.is((await write(2)).status, 201);
  await client.patch(`${path('configmaps')}/limit`, {data: {max: '1'}});
  t.regex((await refusedSoon(t, () => write(2))).message, /too many$/);
  await client.delete(`${path('configmaps')}/limit`);
  const missing = await refusedSoon(t, () => write(1));
  t.regex(missing.message, /denied request: failed to configure binding: configmaps "limit" not found$/);
});

eachStore('failurePolicy decides about rules that cannot be evaluated', async (t, context) => {
  const {client, path} = context;
  const name = await policy(t, context, {validations: [{expression: `object.data.missing == 'x'`}]});
  const failure = await refusedSoon(t, () => create(client, `${path('configmaps')}?dryRun=All`, 'c', {data: {a: 'b'}}));
  t.regex(failure.message, /denied request: expression 'object\.data\.missing == 'x'' resulted in error: no such key: missing$/);
  await client.patch(`${policies}/${name}`, {spec: {failurePolicy: 'Ignore'}});
  await eventually(
    async () => (await create(client, `${path('configmaps')}?dryRun=All`, 'c', {data: {a: 'b'}})).status,
    (status) => status === 201,
  );
  t.pass();
});

eachStore('a rule that takes too many steps is stopped and counts as one that cannot be evaluated', async (t, context) => {
  const {client, path} = context;
  const nested = `object.data.all(a, object.data.all(b, object.data.all(c, a + b + c != '')))`;
  await policy(t, context, {validations: [{expression: nested}]});
  const data = Object.fromEntries(Array.from({length: 300}, (_, index) => [`key${index}`, 'x']));
  const began = performance.now();
  const failure = await refusedSoon(t, () => create(client, `${path('configmaps')}?dryRun=All`, 'c', {data}));
  t.regex(failure.message, /resulted in error: operation cancelled: actual cost limit exceeded$/);
  t.true(performance.now() - began < 20_000);
});

eachStore('a binding narrows its policy, and without one a policy has no effect', async (t, context) => {
  const {client, path} = context;
  const never = {validations: [{expression: 'false', message: 'never'}]};
  const name = await policy(t, context, never, {matchResources: {objectSelector: {matchLabels: {judged: 'yes'}}}});
  const write = (labels: object) => client.post(`${path('configmaps')}?dryRun=All`, {metadata: {name: 'c', labels}});
  t.regex((await refusedSoon(t, () => write({judged: 'yes'}))).message, /never$/);
  t.is((await write({})).status, 201);
  await client.delete(`${bindings}/${name}-binding`);
  await eventually(
    async () => (await write({judged: 'yes'})).status,
    (status) => status === 201,
  );
});

eachStore('resource names and excluded rules are respected', async (t, context) => {
  const {client, path} = context;
  await policy(t, context, {
    validations: [{expression: 'false', message: 'never'}],
    rules: [{...configMaps, resourceNames: ['judged', 'spared']}],
    matchConstraints: {excludeResourceRules: [{...configMaps, resourceNames: ['spared']}]},
  });
  const write = (name: string) => create(client, `${path('configmaps')}?dryRun=All`, name);
  t.regex((await refusedSoon(t, () => write('judged'))).message, /never$/);
  t.is((await write('spared')).status, 201);
  t.is((await write('other')).status, 201);
});

eachStore('custom resources are judged in the version that the policy names, whichever the request is made in', async (t, context) => {
  const {client, path} = context;
  const plain = freshGroup();
  await establish(client, definition(plain, [version(), version(undefined, {name: 'v2', storage: false})]));
  await policy(t, context, {
    rules: [{operations: ['CREATE'], apiGroups: [plain], apiVersions: ['v1'], resources: ['*']}],
    validations: [
      {
        expression: `object.apiVersion == '${plain}/v1' && request.kind.version == 'v1' && request.requestKind.version == 'v2'`,
        message: 'v2',
      },
    ],
  });
  const write = (v: string) =>
    client.post(`${path('widgets', `${plain}/${v}`)}?dryRun=All`, {apiVersion: `${plain}/${v}`, kind: 'Widget', metadata: {name: 'w'}});
  t.regex((await refusedSoon(t, () => write('v1'))).message, /denied request: v2$/);
  t.is((await write('v2')).status, 201);
});

eachStore('a policy whose kind of parameters is not served refuses as its failurePolicy says', async (t, context) => {
  const {client, path} = context;
  const name = await policy(
    t,
    context,
    {paramKind: {apiVersion: 'rules.example/v1', kind: 'Limit'}, validations: [{expression: 'params == null'}]},
    {paramRef: {name: 'limit'}},
  );
  const failure = await refusedSoon(t, () => create(client, `${path('configmaps')}?dryRun=All`, 'c'));
  t.is(
    failure.message.replace(/^.*forbidden: /, ''),
    `ValidatingAdmissionPolicy '${name}' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'rules.example/v1, Kind=Limit'`,
  );
});

eachStore('policies do not judge policies and bindings, so that they can always be mended', async (t, context) => {
  const {client, path} = context;
  // Definitions, which other tests make, are spared.
  const everything = {operations: ['*'], apiGroups: ['', 'admissionregistration.orch'], apiVersions: ['*'], resources: ['*']};
  const name = await policy(t, context, {rules: [everything], validations: [{expression: 'false'}]});
  await refusedSoon(t, () => create(client, `${path('configmaps')}?dryRun=All`, 'c'));
  t.is((await client.patch(`${policies}/${name}`, {metadata: {labels: {a: 'b'}}})).status, 200);
  t.is((await client.delete(`${policies}/${name}`)).status, 200);
  t.is((await client.delete(`${bindings}/${name}-binding`)).status, 200);
});

eachStore('a rule that is left when the budget of a policy is used up exactly refuses the write', async (t, context) => {
  const {client, path} = context;
  const loop = {expression: `[0,1,2,3,4,5,6,7].all(i, object.data.s != 'x')`};
  await policy(t, context, {validations: [...Array.from({length: 16}, () => loop), {expression: 'false', message: 'the last rule'}]});
  const write = (length: number) => create(client, `${path('configmaps')}?dryRun=All`, 'c', {data: {s: 'y'.repeat(length)}});
  await refusedSoon(t, () => write(1));
  let [low, high] = [1, 900_000];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const response = await write(middle);
    t.is(response.status, 422);
    if (/the last rule/.test(response.json<Failure>().message)) low = middle;
    else high = middle;
  }
  for (let length = low - 8; length <= high + 8; length += 1) t.is((await write(length)).status, 422, `${length}`);
});

test('another server of the store has the policies that there are from its first request on, and changes within a moment', async (t) => {
  const redis = await startRedis(t);
  const start = async () => {
    const server = await startTestServer({...options, store: redis.url});
    t.teardown(() => server.stop());
    return server;
  };
  const first = await start();
  const context = {client: first.client, namespace: 'default'};
  const collection = '/api/v1/namespaces/default/configmaps';
  const name = await policy(t, context, {validations: [{expression: 'false', message: 'never'}]});
  const second = await start();
  t.regex((await create(second.client, collection, 'c')).json<Failure>().message, /never$/);
  const began = performance.now();
  t.is((await second.client.patch(`${policies}/${name}`, {spec: {validations: [{expression: 'false', message: 'not now'}]}})).status, 200);
  for (const {client} of [first, second]) {
    const failure = await eventually(
      async () => (await create(client, collection, 'c')).json<Failure>().message,
      (message) => message.endsWith('not now'),
    );
    t.regex(failure, /not now$/);
  }
  t.true(performance.now() - began < 5000);
});
