import test, {type ExecutionContext} from 'ava';
import {startTestServer, type TestResponse, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../helpers/eventually.js';
import {isWithin, longestTurn} from '../../helpers/longest-turn.js';
import {definition, definitionsPath, version, widgetOf} from '../../plugins/resources/apiextensions/definition-fixture.js';

/** Milliseconds of processor for which nobody else may have to wait (decision 52), on a machine of the usual speed. */
const mostMillis = 100;
/** As many as an object of the cluster can have. */
const many = 20_000;

const policyVersion = 'admissionregistration.orch/v1alpha1';
const policies = `/apis/${policyVersion}/validatingadmissionpolicies`;
const bindings = `/apis/${policyVersion}/validatingadmissionpolicybindings`;
const hooks = '/apis/admissionregistration.orch/v1/validatingwebhookconfigurations';
const maps = '/api/v1/namespaces/default/configmaps';
const group = 'rules.example.com';
const widgets = `/apis/${group}/v1/namespaces/default/widgets`;
const places = 2_000;

let server: TestServer;
test.before(async () => {
  server = await startTestServer({
    release: '1.27',
    featureGates: {CustomResourceValidationExpressions: true, ValidatingAdmissionPolicy: true, AdmissionWebhookMatchConditions: true},
    runtimeConfig: {[policyVersion]: true},
  });
});
test.after.always(() => server?.stop());

const text = {type: 'string'};
const texts = (count: number, textOf: (number: number) => string) => Array.from({length: count}, (_, number) => textOf(number));
const rules = (of: string, count = many) => texts(count, (number) => `${of} != "${number}"`);
const ruled = (of: string, count?: number) => ({'x-kubernetes-validations': rules(of, count).map((rule) => ({rule}))});
const parts = (make: (number: number) => object) =>
  Object.fromEntries(Array.from({length: places}, (_, number) => [`p${number}`, make(number)]));

/** A definition with rules in one place, in many, and about defaults. */
const ofWidgets = (more: string) =>
  definition(group, [
    version({
      type: 'object',
      properties: {
        one: {type: 'object', properties: {a: text}, ...ruled('self.a', 14_000)},
        all: {type: 'object', properties: parts(() => ({type: 'object', properties: {a: text}, ...ruled('self.a', 1)}))},
        none: {type: 'object', properties: {a: {...text, default: more, ...ruled('self', 100)}}},
      },
    }),
  ]);

const policy = {
  metadata: {name: 'many'},
  spec: {
    matchConstraints: {
      resourceRules: [{operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps']}],
    },
    validations: rules('object.metadata.name').map((expression) => ({expression})),
  },
};

const hook = (number: number) => ({
  name: `h${number}.team.example`,
  clientConfig: {url: 'https://127.0.0.1:1/check'},
  rules: [{operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments']}],
  sideEffects: 'None',
  failurePolicy: 'Ignore',
  timeoutSeconds: 1,
  admissionReviewVersions: ['v1'],
  matchConditions: [
    ...rules('object.metadata.name', 63).map((expression, index) => ({name: `c${index}`, expression})),
    {name: 'no', expression: 'object.metadata.name == "none"'},
  ],
});

async function succeeded(request: Promise<TestResponse>): Promise<TestResponse> {
  const response = await request;
  if (response.status >= 300) throw new Error(`${response.status} ${response.body.toString().slice(0, 300)}`);
  return response;
}

async function changed(): Promise<TestResponse> {
  const {client} = server;
  const {metadata} = (await client.get(`${definitionsPath}/widgets.${group}`)).json<{metadata: Record<string, string>}>();
  return succeeded(client.put(`${definitionsPath}/widgets.${group}`, {...ofWidgets('c'), metadata}));
}

test.serial('no turn of the event loop takes long, however many rules, policies and conditions there are', async (t) => {
  const {client} = server;
  const object = {one: {a: 'x'}, all: parts(() => ({a: 'x'})), none: {}};
  const deployment = {
    metadata: {name: 'd'},
    spec: {
      selector: {matchLabels: {a: 'b'}},
      template: {metadata: {labels: {a: 'b'}}, spec: {containers: [{name: 'a', image: 'a'}]}},
    },
  };
  const works: readonly Work[] = [
    ['a definition with many rules', () => succeeded(client.post(definitionsPath, ofWidgets('b')))],
    [
      'its first object',
      () =>
        eventually(
          () => client.post(widgets, widgetOf(group, 'w', {spec: object})),
          ({status}) => status === 201,
        ),
    ],
    ['another object', () => succeeded(client.post(widgets, widgetOf(group, 'v', {spec: object})))],
    ['a changed definition', changed],
    ['a policy with many expressions', () => succeeded(client.post(policies, policy))],
    [
      'a webhook configuration with many conditions',
      () => succeeded(client.post(hooks, {metadata: {name: 'many'}, webhooks: Array.from({length: 250}, (_, number) => hook(number))})),
    ],
    ['the first write that webhooks may match', () => client.post('/apis/apps/v1/namespaces/default/deployments', deployment)],
    ['a binding', () => succeeded(client.post(bindings, {metadata: {name: 'many'}, spec: {policyName: 'many'}}))],
    [
      'the first write that the policy judges',
      () =>
        eventually(
          () => client.post(`${maps}?dryRun=All`, {metadata: {name: '19999'}}),
          ({status}) => status === 422,
        ),
    ],
  ];
  // What only the first request loads and compiles is no part of the work.
  await succeeded(client.post(definitionsPath, definition('first.example.com', [version({...text, ...ruled('self', 1)})])));
  await turnsAreShort(t, works);
});

test.serial('no turn of the event loop takes long, however many variables of a policy depend on each other', async (t) => {
  await using later = await startTestServer({release: '1.34'});
  const at = (resource: string) => `/apis/admissionregistration.orch/v1/validatingadmission${resource}`;
  const variables = texts(5_000, (number) => (number === 0 ? 'object.metadata.name' : `variables.v${number - 1} + "."`));
  const composed = {
    metadata: {name: 'composed'},
    spec: {
      ...policy.spec,
      variables: variables.map((expression, number) => ({name: `v${number}`, expression})),
      validations: [{expression: 'size(variables.v4999) < 5'}],
    },
  };
  const binding = {metadata: {name: 'composed'}, spec: {policyName: 'composed', validationActions: ['Deny']}};
  await turnsAreShort(t, [
    ['a policy with many variables', () => succeeded(later.client.post(at('policies'), composed))],
    ['a binding', () => succeeded(later.client.post(at('policybindings'), binding))],
    [
      'the first write that the policy judges',
      () =>
        eventually(
          () => later.client.post(`${maps}?dryRun=All`, {metadata: {name: 'named'}}),
          ({status}) => status === 422,
        ),
    ],
  ]);
});

type Work = readonly [name: string, work: () => Promise<unknown>];

async function turnsAreShort(t: ExecutionContext, works: readonly Work[]): Promise<void> {
  const long: string[] = [];
  for (const [name, work] of works) {
    const {longestMillis} = await longestTurn(work);
    t.log(`${name}: ${longestMillis.toFixed(1)} ms of ${mostMillis}`);
    if (!(await isWithin(longestMillis, mostMillis))) long.push(`${name}: ${longestMillis.toFixed(0)} ms`);
  }
  t.deepEqual(long, []);
}
