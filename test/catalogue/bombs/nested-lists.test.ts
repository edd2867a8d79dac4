import test, {type ExecutionContext} from 'ava';
import {startTestServer, type TestResponse, type TestServer} from '@orch-api/orch/testing';
import {isWithin, longestTurn} from '../../helpers/longest-turn.js';

/**
 * Lists that rules compare with each other, nearly as long as an object may have values: what is quadratic takes minutes here, or all memory. A fit server takes a few hundred
 * milliseconds of processor for bodies of this size, most of them for reading and storing them.
 */
const stallLimit = 1500;

let server: TestServer;
test.before(async () => {
  server = await startTestServer({featureGates: {DynamicResourceAllocation: true}});
});
test.after.always(() => server?.stop());

const json = {headers: {'content-type': 'application/json'}};
const asTable = {headers: {accept: 'application/json;as=Table;v=v1;g=meta.orch'}};
const many = <T>(count: number, item: (index: number) => T): T[] => Array.from({length: count}, (_, index) => item(index));
const local = '/api/v1/namespaces/default';

async function timed(t: ExecutionContext, what: string, send: () => Promise<TestResponse>): Promise<TestResponse> {
  const {result, longestMillis} = await longestTurn(send);
  t.true(result.status < 500, `${what}: ${result.status} ${result.body.toString().slice(0, 300)}`);
  t.true(await isWithin(longestMillis, stallLimit), `${what}: ${longestMillis} ms`);
  return result;
}

function post(t: ExecutionContext, path: string, object: object): Promise<TestResponse> {
  const body = Buffer.from(JSON.stringify(object));
  return timed(t, `POST ${path}`, () => server.client.post(path, body, json));
}

function put(t: ExecutionContext, path: string, object: object): Promise<TestResponse> {
  const body = Buffer.from(JSON.stringify(object));
  return timed(t, `PUT ${path}`, () => server.client.put(path, body, json));
}

const pod = (name: string, spec: object, container: object = {}) => ({
  metadata: {name},
  spec: {containers: [{name: 'c', image: 'i', ...container}], ...spec},
});

test.serial('mounts and devices of a container are compared by their names and places', async (t) => {
  const count = 4900;
  const volumeMounts = many(count, (index) => ({name: `v${index}`, mountPath: `/m${index}`}));
  const volumeDevices = many(count, (index) => ({name: `d${index}`, devicePath: `/d${index}`}));
  t.is((await post(t, `${local}/pods`, pod('mounts', {}, {volumeMounts, volumeDevices}))).status, 422);
});

test.serial('claims of a container that the pod does not have are not told with all that it has', async (t) => {
  const count = 4900;
  const resourceClaims = many(count, (index) => ({name: `claim-${index}`, source: {resourceClaimName: 'x'}}));
  const claims = many(count, (index) => ({name: `other-${index}`}));
  t.is((await post(t, `${local}/pods`, pod('claims', {resourceClaims}, {resources: {claims}}))).status, 422);
});

test.serial('tolerations and container statuses are compared with the stored ones by what they are about', async (t) => {
  const tolerations = many(2500, (index) => ({key: `k${index}`, operator: 'Exists'}));
  t.is((await post(t, `${local}/pods`, pod('tolerant', {tolerations, restartPolicy: 'Never'}))).status, 201);
  const path = `${local}/pods/tolerant`;
  const stored = (await server.client.get(path)).json<{spec: {containers: object[]}}>();
  t.is((await put(t, path, {...stored, spec: {...stored.spec, containers: [{...stored.spec.containers[0], image: 'j'}]}})).status, 200);
  const ended = {state: {terminated: {exitCode: 0}}, ready: false, restartCount: 0, image: 'i', imageID: 'i'};
  const status = {phase: 'Running', containerStatuses: many(1500, (index) => ({name: `c${index}`, ...ended}))};
  for (let round = 0; round < 2; round += 1) {
    const current = (await server.client.get(path)).json<object>();
    t.is((await put(t, `${path}/status`, {...current, status: {...status, message: `round ${round}`}})).status, 200);
  }
});

test.serial('the row of a pod looks up each readiness gate once', async (t) => {
  const readinessGates = many(5000, (index) => ({conditionType: `a.b/c${index}`}));
  t.is((await post(t, `${local}/pods`, pod('gated', {readinessGates}))).status, 201);
  const path = `${local}/pods/gated`;
  const conditions = many(3500, (index) => ({type: `a.b/d${index}`, status: 'True'}));
  const current = (await server.client.get(path)).json<object>();
  t.is((await put(t, `${path}/status`, {...current, status: {conditions}})).status, 200);
  const table = await timed(t, 'GET Table', () => server.client.get(path, asTable));
  t.true(table.json<{rows: {cells: unknown[]}[]}>().rows[0]!.cells.includes('0/5000'));
});

test.serial('addresses behind a service are not multiplied by their ports', async (t) => {
  const addresses = many(8000, (index) => ({ip: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`}));
  const ports = many(3000, (index) => ({name: `p${index}`, port: 1 + index}));
  const path = `${local}/endpoints`;
  t.is((await post(t, path, {metadata: {name: 'wide'}, subsets: [{addresses, ports}]})).status, 201);
  const [subset] = (await server.client.get(`${path}/wide`)).json<{subsets: {addresses: object[]; ports: object[]}[]}>().subsets;
  t.deepEqual([subset!.addresses.length, subset!.ports.length], [8000, 3000]);
  const table = await timed(t, 'GET Table', () => server.client.get(`${path}/wide`, asTable));
  t.true(table.json<{rows: {cells: unknown[]}[]}>().rows[0]!.cells.includes('10.0.0.0:1,10.0.0.1:1,10.0.0.2:1 + 23999997 more...'));
  // Each port has one address of its own, so that in the normal form every port would need all addresses again.
  const own = ports.slice(0, 1500).map((port, index) => ({addresses: [{ip: `192.168.${index >> 8}.${index & 255}`}], ports: [port]}));
  const refused = await post(t, path, {
    metadata: {name: 'exploding'},
    subsets: [{addresses: addresses.slice(0, 4000), ports: ports.slice(0, 1500)}, ...own],
  });
  t.is(refused.status, 422);
  t.regex(refused.json<{message: string}>().message, /subsets: Too many: 6001500: must have at most 100000 items/);
});

test.serial('scopes of a quota are looked up once each', async (t) => {
  const hard = Object.fromEntries(many(8000, (index) => [`a.b/k${index}`, '1']));
  await post(t, `${local}/resourcequotas`, {metadata: {name: 'scopes'}, spec: {hard, scopes: many(15_000, () => 'BestEffort')}});
  await post(t, `${local}/resourcequotas`, {
    metadata: {name: 'expressions'},
    spec: {hard, scopeSelector: {matchExpressions: many(5000, () => ({scopeName: 'BestEffort', operator: 'Exists'}))}},
  });
});

test.serial('conditions of a certificate request are compared with the stored ones by their types', async (t) => {
  const path = '/apis/certificates.orch/v1/certificatesigningrequests';
  const {minimalObject} = await import('../minimal-objects.js');
  const {members} = minimalObject('certificatesigningrequests', 'certificates.orch/v1', {signers: {}} as never, 'default')!;
  t.is((await post(t, path, {metadata: {name: 'conditions'}, ...members})).status, 201);
  const condition = (index: number, message: string) => ({type: `T${index}`, status: 'True', message});
  for (const message of ['a', 'b']) {
    const current = (await server.client.get(`${path}/conditions`)).json<object>();
    const status = {conditions: many(10_000, (index) => condition(index, message))};
    t.is((await put(t, `${path}/conditions/status`, {...current, status})).status, 200);
  }
});

test.serial('ports of a service are compared by number', async (t) => {
  const ports = many(7000, (index) => ({name: `p${index}`, port: 1 + index, protocol: 'TCP'}));
  await timed(t, 'POST services', () =>
    server.client.post(
      `${local}/services?dryRun=All`,
      Buffer.from(JSON.stringify({metadata: {name: 'wide'}, spec: {type: 'NodePort', ports}})),
      json,
    ),
  );
});

test.serial('lists of a definition are looked through once', async (t) => {
  const group = 'bombs.example.com';
  const names = {plural: 'bombs', singular: 'bomb', kind: 'Bomb', listKind: 'BombList'};
  const definition = (schema: object, more: object = {}, moreNames: object = {}) => ({
    metadata: {name: `bombs.${group}`},
    spec: {
      group,
      names: {...names, ...moreNames},
      scope: 'Namespaced',
      versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: schema}}],
      ...more,
    },
  });
  const keys = many(15_000, (index) => `k${index}`);
  const properties = Object.fromEntries(keys.map((key) => [key, {type: 'string'}]));
  const list = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': keys,
    items: {type: 'object', properties, required: keys},
  };
  const path = '/apis/apiextensions.orch/v1/customresourcedefinitions?dryRun=All';
  await post(t, path, definition({type: 'object', properties: {list}}));
  const plain = {type: 'object'};
  const webhook = {clientConfig: {url: 'https://a.example'}, conversionReviewVersions: many(60_000, (index) => `v${index}`)};
  await post(t, path, definition(plain, {conversion: {strategy: 'Webhook', webhook}}));
  await post(
    t,
    path,
    definition(plain, {}, {shortNames: many(45_000, (index) => `n${index}`), categories: many(40_000, (index) => `c${index}`)}),
  );
});

test.serial(
  'a binding that names one user again and again is one grant, and rules of aggregated roles are put together in one pass',
  async (t) => {
    const group = 'rbac.authorization.orch';
    const path = `/apis/${group}/v1`;
    const subjects = many(18_000, () => ({kind: 'User', apiGroup: group, name: 'again'}));
    const roleRef = {apiGroup: group, kind: 'ClusterRole', name: 'looked-through'};
    const unlike = many(30, (index) => ({verbs: ['get'], apiGroups: [''], resources: [`r${index}`]}));
    t.is((await post(t, `${path}/clusterroles`, {metadata: {name: 'looked-through'}, rules: unlike})).status, 201);
    t.is((await post(t, `${path}/clusterrolebindings`, {metadata: {name: 'again'}, roleRef, subjects})).status, 201);
    const review = {spec: {user: 'again', resourceAttributes: {verb: 'list', resource: 'pods', namespace: 'default'}}};
    await timed(t, 'review', () => server.client.post('/apis/authorization.orch/v1/subjectaccessreviews', review));
    t.is((await timed(t, 'DELETE', () => server.client.delete(`${path}/clusterrolebindings/again`))).status, 200);

    const rules = (from: number) => many(4000, (index) => ({verbs: ['get'], apiGroups: ['g'], resources: [`x${from + index}`]}));
    const labels = {collect: 'yes'};
    for (const [index, name] of ['part-a', 'part-b'].entries())
      t.is((await post(t, `${path}/clusterroles`, {metadata: {name, labels}, rules: rules(index * 4000)})).status, 201);
    const {longestMillis} = await longestTurn(async () => {
      await server.client.post(`${path}/clusterroles`, {
        metadata: {name: 'collected'},
        aggregationRule: {clusterRoleSelectors: [{matchLabels: labels}]},
      });
      for (let count = 0; count < 8000;)
        count = (await server.client.get(`${path}/clusterroles/collected`)).json<{rules?: unknown[] | null}>().rules?.length ?? 0;
    });
    t.true(await isWithin(longestMillis, stallLimit), `${longestMillis} ms`);
  },
);
