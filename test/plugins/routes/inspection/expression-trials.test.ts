import type {TestClient} from '@orch-api/orch/testing';
import * as bounds from '../../../../plugins/routes/inspection/bounds.js';
import {testOnEachStore} from '../../../helpers/each-store.js';
import {eventually} from '../../../helpers/eventually.js';
import {strangerClient, userClient} from '../../../helpers/user-client.js';

const eachStore = testOnEachStore({enablePlugins: ['inspection'], release: '1.36'});

interface Outcome {
  readonly field: string;
  readonly type?: string;
  readonly typeError?: string;
  readonly result?: unknown;
  readonly error?: string;
  readonly cost?: number;
  readonly maximumCost?: number;
}

const path = '/inspection/expressions';
const configMaps = {group: '', version: 'v1', resource: 'configmaps'};
const object = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'one', namespace: 'default'}, data: {colour: 'red', count: '3'}};

async function tried(client: Pick<TestClient, 'post'>, body: object): Promise<Outcome[]> {
  const answer = await client.post(path, body);
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body.toString()}`);
  return answer.json<{outcomes: Outcome[]}>().outcomes;
}

eachStore('a policy is tried on an object: results, costs, and what its variables come to', async (t, {client}) => {
  const outcomes = await tried(client, {
    kind: 'policy',
    type: configMaps,
    object,
    params: {allowed: ['blue']},
    namespaceObject: {metadata: {labels: {tier: 'front'}}},
    spec: {
      matchConditions: [{name: 'created', expression: 'request.operation == "CREATE"'}],
      variables: [
        {name: 'keys', expression: 'object.data.map(key, key)'},
        {name: 'size', expression: 'size(variables.keys)'},
      ],
      validations: [
        {expression: 'object.data.colour in params.allowed', messageExpression: '"not " + object.data.colour'},
        {expression: 'variables.size == 2 && namespaceObject.metadata.labels.tier == "front"'},
        {expression: 'object.data.missing == "x"'},
      ],
      auditAnnotations: [{key: 'who', valueExpression: 'request.userInfo.username'}],
    },
  });
  const of = (field: string) => outcomes.find((outcome) => outcome.field === field)!;
  t.deepEqual((of('variables[0].expression').result as string[]).toSorted(), ['colour', 'count']);
  t.is(of('variables[1].expression').result, '2');
  t.is(of('variables[1].expression').type, 'int');
  t.is(of('matchConditions[0].expression').result, true);
  t.is(of('validations[0].expression').result, false);
  t.is(of('validations[0].messageExpression').result, 'not red');
  t.is(of('validations[1].expression').result, true);
  t.regex(of('validations[2].expression').error!, /no such key: missing/);
  t.is(of('auditAnnotations[0].valueExpression').result, 'orch-admin');
  t.true(of('validations[1].expression').cost! > 2);
});

eachStore('what does not compile, or does not fit the type of the object, is said', async (t, {client}) => {
  const outcomes = await tried(client, {
    kind: 'policy',
    type: configMaps,
    object,
    spec: {validations: [{expression: 'object.dato.size() == 0'}, {expression: 'object.data. == 1'}, {expression: '"text"'}]},
  });
  t.regex(outcomes[0]!.typeError!, /undefined field 'dato'/);
  t.regex(outcomes[0]!.error!, /no such key/);
  t.regex(outcomes[1]!.typeError!, /Syntax error/);
  t.regex(outcomes[2]!.typeError!, /must evaluate to bool/);
});

eachStore('a validation rule is tried on an object and the one before, with what it costs at most', async (t, {client}) => {
  const deployments = {group: 'apps', version: 'v1', resource: 'deployments'};
  const body = {kind: 'rule', type: deployments, object: {spec: {replicas: 3}}, oldObject: {spec: {replicas: 2}}};
  const [grown, message] = await tried(client, {
    ...body,
    rule: 'self.spec.replicas <= oldSelf.spec.replicas',
    messageExpression: '"more than " + string(oldSelf.spec.replicas)',
  });
  t.is(grown!.result, false);
  t.true(grown!.maximumCost! > 0);
  t.is(message!.result, 'more than 2');
  t.regex((await tried(client, {...body, rule: 'self.spec.replicas.startsWith("x")'}))[0]!.typeError!, /no matching overload/);
});

eachStore('expressions end within their budget, however they are written', async (t, {client}) => {
  const list = JSON.stringify(Array.from({length: 200}, (_, index) => index));
  const dear = `${list}.all(a, ${list}.all(b, ${list}.all(c, a + b + c >= 0)))`;
  const began = performance.now();
  const outcomes = await tried(client, {kind: 'policy', object, spec: {validations: Array.from({length: 40}, () => ({expression: dear}))}});
  t.true(performance.now() - began < 10_000);
  t.true(outcomes.every(({error}) => /cost limit exceeded|out of cost budget/.test(error ?? '')));
});

eachStore('what is wrong with expressions is said in few words, however much is wrong', async (t, {client}) => {
  const wrong = Array.from({length: 1500}, (_, index) => `nothing${index}`)
    .join('+')
    .slice(0, 16_000)
    .replace(/\+?\w*$/, '');
  const spec = {
    variables: [{name: 'wrong', expression: wrong}],
    validations: [...Array.from({length: 4}, () => ({expression: `${wrong} == 1`})), {expression: 'variables.wrong == 1'}],
  };
  const outcomes = await tried(client, {kind: 'policy', type: configMaps, object, spec});
  for (const {typeError = '', error = ''} of outcomes) {
    t.true(typeError.length + error.length > 0);
    t.true(typeError.length <= bounds.trialFault + 2);
    t.true(error.length <= bounds.trialFault + 2);
  }
  const answer = await client.post(path, {kind: 'policy', spec: {validations: Array.from({length: 7}, () => ({expression: wrong}))}});
  t.is(answer.status, 400);
  t.regex(answer.body.toString(), /more than 100000 characters together/);
});

eachStore('a body that is none is refused', async (t, {client}) => {
  const refused = async (body: unknown, headers = {'content-type': 'application/json'}) =>
    (await client.request('POST', path, {body: body as string, headers})).status;
  t.is(await refused('{'), 400);
  t.is(await refused('[]'), 400);
  t.is(await refused('{}'), 400);
  t.is(await refused('{}', {'content-type': 'text/plain'}), 415);
  t.is(await refused(JSON.stringify({kind: 'policy', spec: {validations: [{}]}})), 400);
  t.is(await refused(JSON.stringify({kind: 'policy', other: 1})), 400);
  t.is(await refused(JSON.stringify({kind: 'rule', rule: 'x'.repeat(30_000)})), 400);
  t.is(await refused(JSON.stringify({kind: 'policy', spec: {validations: Array.from({length: 101}, () => ({expression: 'true'}))}})), 400);
  t.is(await refused(`{"kind":"policy","object":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`), 400);
  t.is(await refused(JSON.stringify({kind: 'policy', object: {a: 'x'.repeat(1024 * 1024)}})), 413);
});

eachStore('a rule stands where its path says, and is idle where nothing is there', async (t, {client, namespace}) => {
  const group = `${namespace}.example.com`;
  const schema = {
    type: 'object',
    properties: {
      spec: {type: 'object', properties: {size: {type: 'integer'}, names: {type: 'object', additionalProperties: {type: 'string'}}}},
    },
  };
  const made = await client.post(await definitionsPath(client), {
    metadata: {name: `widgets.${group}`},
    spec: {
      group,
      names: {plural: 'widgets', kind: 'Widget'},
      scope: 'Namespaced',
      versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: schema}}],
    },
  });
  t.is(made.status, 201, made.body.toString());
  await eventually(
    async () => (await client.get(`/apis/${group}/v1`)).status,
    (status) => status === 200,
  );
  const body = {kind: 'rule', type: {group, version: 'v1', resource: 'widgets'}, object: {spec: {size: 3, names: {a: 'x'}}}};
  const rule = async (path: string[], text: string, more: object = {}) => (await tried(client, {...body, path, rule: text, ...more}))[0]!;
  t.is((await rule(['spec'], 'self.size > 2')).result, true);
  t.is((await rule(['spec', 'size'], 'self > 2')).result, true);
  t.is((await rule(['spec', 'names', 'a'], 'self.startsWith("x")')).result, true);
  t.regex(
    (await rule(['spec'], 'self.sise > 2')).typeError!,
    /^.*ERROR: <input>:1:5: undefined field 'sise'\n \| self\.sise > 2\n \| \.\.\.\.\^$/,
  );
  t.regex((await rule(['status'], 'self.ready == true')).error!, /nothing at this place/);
  t.regex((await rule(['spec'], 'self.size >= oldSelf.size')).error!, /nothing before/);
  t.is((await rule(['spec'], 'self.size >= oldSelf.size', {oldObject: {spec: {size: 4}}})).result, false);
});

eachStore('an expression has a result of any type, as JSON', async (t, {client}) => {
  const result = async (expression: string) => (await tried(client, {kind: 'expression', type: configMaps, object, expression}))[0]!;
  t.deepEqual((await result('object.data')).result, {colour: 'red', count: '3'});
  t.deepEqual((await result('[1, 2].map(each, each * 2) // twice')).result, [2, 4]);
  t.is((await result('object.metadata.name')).result, 'one');
  t.is((await result('request.operation')).result, 'CREATE');
  t.is((await result('null')).result, null);
  t.is((await result('9007199254740993')).result, '9007199254740993');
  t.is((await result('duration("90s")')).type, 'duration');
  t.regex((await result('1 / 0')).error!, /division by zero/);
});

eachStore('an authorizer answers what its user may ask otherwise', async (t, {client, server, namespace}) => {
  const own = 'authorizer.path("/inspection/requests/of-all-users").check("get").allowed()';
  const others = 'authorizer.serviceAccount("kube-system", "one").group("").resource("pods").check("get").errored()';
  const body = (expression: string) => ({kind: 'expression', object, expression});
  const alice = await userClient(t, server, `alice-${namespace}`);
  t.is((await tried(client, body(own)))[0]!.result, true);
  t.is((await tried(alice, body(own)))[0]!.result, false);
  t.is((await tried(client, body(others)))[0]!.result, false);
  t.is((await tried(alice, body(others)))[0]!.result, true, 'who may not create SubjectAccessReviews learns nothing of others');
});

eachStore('whoever is not known tries nothing', async (t, {server}) => {
  const stranger = await strangerClient(t, server);
  const answer = await stranger.post(path, {kind: 'expression', object, expression: '1'});
  t.is(answer.status, 403);
  t.regex(answer.body.toString(), /system:anonymous/);
});

eachStore(
  'of many trials at once some are answered later, and more than may wait are sent away',
  async (t, {client}) => {
    const list = JSON.stringify(Array.from({length: 150}, (_, index) => index));
    const dear = {kind: 'expression', expression: `${list}.all(a, ${list}.all(b, a + b >= 0))`};
    const answers = await Promise.all(Array.from({length: 60}, () => client.post(path, dear)));
    const codes = new Set(answers.map(({status}) => status));
    t.true(codes.has(200));
    t.deepEqual(
      [...codes].filter((code) => code !== 200 && code !== 429),
      [],
    );
    t.is((await tried(client, dear))[0]!.result, true);
  },
  {serial: true},
);

async function definitionsPath(client: TestClient): Promise<string> {
  const {groups} = (await client.get('/apis')).json<{groups: {name: string}[]}>();
  return `/apis/${groups.find(({name}) => name.startsWith('apiextensions.'))!.name}/v1/customresourcedefinitions`;
}
