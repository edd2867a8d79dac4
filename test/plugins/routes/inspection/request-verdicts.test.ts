import {eventually} from '../../../helpers/eventually.js';
import {strangerClient, userClient} from '../../../helpers/user-client.js';
import {testHooksOnEachStore} from '../../admission/webhooks/hook-tests.js';
import {allow} from './allow.js';

const eachStore = testHooksOnEachStore({enablePlugins: ['inspection'], release: '1.36'});

interface Report {
  readonly id: string;
  readonly code: number;
  readonly user: string;
  readonly reason?: string;
  readonly message?: string;
  readonly verb: string;
  readonly path: string;
  readonly flow?: {readonly schema: string; readonly level: string};
  readonly authorization?: {readonly allowed: boolean; readonly reason: string};
  readonly verdicts: readonly {by: string; name: string; from?: string; half: string; verdict: string; message?: string; seconds: number}[];
  readonly steps: readonly {name: string; seconds: number}[];
}

interface Answer {
  readonly headers: Readonly<Record<string, unknown>>;
}

interface Client {
  get(path: string): Promise<{status: number; json<T>(): T}>;
}

/** The report of an answered request. It is there when the answer has been sent. */
async function reportOf(client: Client, {headers}: Answer): Promise<Report> {
  const path = `/inspection/requests/${String(headers['audit-id'])}`;
  const answer = await eventually(
    () => client.get(path),
    ({status}) => status === 200,
  );
  return answer.json<{items: Report[]}>().items[0]!;
}

eachStore('a refusal by a webhook is found by the id of the request, with what all others said', async (t, {client, path}, hooks) => {
  await hooks.configure('mutating', [{name: 'shapes.example.com'}]);
  await hooks.configure('validating', [
    {name: 'judge.example.com', answer: () => ({allowed: false, status: {message: 'too red'}})},
    {name: 'away.example.com', failurePolicy: 'Ignore', answer: () => ({nonsense: true})},
  ]);
  const refused = await client.post(path('configmaps'), {metadata: {name: 'one'}});
  t.is(refused.status, 400);
  const report = await reportOf(client, refused);
  t.is(report.code, 400);
  t.is(report.verb, 'create');
  t.regex(report.message!, /admission webhook "judge\.example\.com" denied the request: too red/);
  t.true(report.authorization!.allowed);
  t.truthy(report.flow!.schema);
  const said = report.verdicts.filter(({by}) => by === 'webhook').map(({name, half, verdict}) => `${name} ${half} ${verdict}`);
  t.true(said.includes('shapes.example.com admit allowed'), said.join());
  t.true(said.includes('judge.example.com validate denied'), said.join());
  const chain = report.verdicts.filter(({by}) => by === 'controller');
  t.is(chain.at(-1)!.name, 'ValidatingAdmissionWebhook');
  t.is(chain.at(-1)!.verdict, 'denied');
  t.true(chain.slice(0, -1).every(({verdict}) => verdict === 'allowed'));
  t.true(report.verdicts.every(({seconds}) => seconds >= 0 && seconds < 60));
  const names = report.steps.map(({name}) => name);
  for (const step of ['authentication', 'authorization', 'mutating admission', 'validating admission'])
    t.true(names.includes(step), names.join());
});

eachStore('what a policy has against a write is noted with its binding, also where it only warns', async (t, {client, path, namespace}) => {
  const group = '/apis/admissionregistration.orch/v1';
  const name = `only-blue-${namespace}`;
  const constraint = {
    namespaceSelector: {matchLabels: {[(await labelOf(client, namespace))!]: namespace}},
    resourceRules: [{operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps']}],
  };
  await client.post(`${group}/validatingadmissionpolicies`, {
    metadata: {name},
    spec: {matchConstraints: constraint, validations: [{expression: 'object.data.colour == "blue"', message: 'blue it is to be'}]},
  });
  await client.post(`${group}/validatingadmissionpolicybindings`, {
    metadata: {name: `${name}-binding`},
    spec: {policyName: name, validationActions: ['Warn']},
  });
  let count = 0;
  const warned = await eventually(
    () => client.post(path('configmaps'), {metadata: {name: `probe-${++count}`}, data: {colour: 'red'}}),
    ({headers}) => headers['warning'] !== undefined,
  );
  const report = await reportOf(client, warned);
  const found = report.verdicts.find(({by}) => by === 'policy')!;
  t.like(found, {name, from: `${name}-binding`, half: 'validate', verdict: 'warned', message: 'blue it is to be'});
});

eachStore('users see their own requests; those of others who may get the path of all', async (t, {server, client, path, namespace}) => {
  const name = `alice-${namespace}`;
  const alice = await userClient(t, server, name);
  const refused = await alice.get(path('secrets'));
  t.is(refused.status, 403);
  const report = await reportOf(alice, refused);
  t.is(report.user, name);
  t.false(report.authorization!.allowed);
  t.deepEqual(report.verdicts, []);
  t.is((await reportOf(client, refused)).user, name, 'an administrator sees it too');
  const bob = await userClient(t, server, `bob-${namespace}`);
  const id = String(refused.headers['audit-id']);
  t.is((await bob.get(`/inspection/requests/${id}`)).status, 404);
  const stranger = await strangerClient(t, server);
  const unknown = await stranger.get(path('secrets'));
  t.is((await stranger.get(`/inspection/requests/${String(unknown.headers['audit-id'])}`)).status, 404, 'nobody is the one who asked');
  const list = await alice.get('/inspection/requests/');
  t.is(list.status, 200, list.text);
  const own = list.json<{items: Report[]}>().items;
  t.true(own.length > 0 && own.every(({user}) => user === name));
  const all = (await client.get('/inspection/requests/?refused=true')).json<{items: Report[]}>().items;
  t.true(all.some(({user}) => user === name) && all.every(({code}) => code >= 400));
  await allow(client, namespace, name, ['create'], ['configmaps']);
  const written = await eventually(
    () => alice.post(path('configmaps'), {metadata: {name: 'mine'}}),
    ({status}) => status === 201,
  );
  t.is((await reportOf(alice, written)).code, 201);
});

async function labelOf(client: Client, namespace: string): Promise<string | undefined> {
  const {metadata} = (await client.get(`/api/v1/namespaces/${namespace}`)).json<{metadata: {labels: object}}>();
  return Object.keys(metadata.labels).find((key) => key.endsWith('metadata.name'));
}
