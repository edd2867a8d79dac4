import test from 'ava';
import {ValidatingWebhookConfigurationStrategy} from '../../../../plugins/resources/admissionregistration/validating-webhook-configuration-strategy.js';
import {CooperativeScheduler, fieldErrorText} from '../../../../sdk/index.js';
import {ExpressionFaults} from '../../../../plugins/resources/admissionregistration/expression-faults.js';
import {StaticNames} from '../../../../plugins/families/admission-matching/static-names.js';
import {orch} from '../../../../core/api/naming/orch.js';
import type {MutatingWebhook} from '../../../../sdk/types/unchecked/admissionregistration/v1.js';
import {context} from '../../memory-resources.js';
import {causesOf, faultyFields, servedGroup, tableRows} from '../served-group.js';

const client = servedGroup(test);
const kinds = ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'] as const;
const url = (plural: string) => `/apis/admissionregistration.orch/v1/${plural}`;
const rule = {operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments']};
const hook = (members: object = {}) => ({
  name: 'check.team.example',
  clientConfig: {url: 'https://hooks.example/check'},
  rules: [rule],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  ...members,
});

async function faults(...webhooks: object[]): Promise<string[]> {
  return faultyFields(await client().post(url(kinds[1]), {metadata: {name: 'bad'}, webhooks})).map((field) =>
    field.replace('webhooks[0].', ''),
  );
}

test('[B-REM-20] configurations are served in v1 and not in v1beta1', async (t) => {
  for (const plural of kinds) t.is((await client().get(url(plural))).status, 200);
  t.is((await client().get('/apis/admissionregistration.orch/v1beta1')).status, 404);
});

test('what a webhook does not say is filled in', async (t) => {
  for (const plural of kinds) {
    const made = await client().post(url(plural), {
      metadata: {name: 'filled'},
      webhooks: [hook({clientConfig: {service: {namespace: 'ns', name: 'svc'}}})],
    });
    t.is(made.status, 201);
    const {metadata, webhooks} = made.json<{metadata: {generation: number}; webhooks: Record<string, unknown>[]}>();
    t.is(metadata.generation, 1);
    const common = {
      failurePolicy: 'Fail',
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      timeoutSeconds: 10,
      clientConfig: {service: {port: 443}},
      rules: [{scope: '*'}],
    };
    t.like(webhooks[0], plural === kinds[0] ? {...common, reinvocationPolicy: 'Never'} : common);
    t.is('reinvocationPolicy' in webhooks[0]!, plural === kinds[0]);
    t.like((await tableRows(client(), `${url(plural)}/filled`))[0], {Name: 'filled', Webhooks: 1});
  }
});

test('[B-REM-21] sideEffects must be said, and be none that matter in a dry run', async (t) => {
  const [missing] = causesOf(await client().post(url(kinds[1]), {metadata: {name: 'bad'}, webhooks: [hook({sideEffects: undefined})]}));
  t.is(missing, 'webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun');
  for (const sideEffects of ['Some', 'Unknown', 'Other']) t.deepEqual(await faults(hook({sideEffects})), ['sideEffects']);
});

test('all faults of a webhook come at once', async (t) => {
  const bad = hook({
    name: 'short.example',
    clientConfig: {},
    rules: [{scope: 'Here'}],
    failurePolicy: 'Retry',
    matchPolicy: 'Roughly',
    timeoutSeconds: 31,
    namespaceSelector: {matchLabels: {'a b': 'c'}},
    objectSelector: {matchExpressions: [{key: 'a', operator: 'Near'}]},
    admissionReviewVersions: [],
  });
  t.deepEqual(await faults(bad), [
    'name',
    'rules[0].operations',
    'rules[0].apiGroups',
    'rules[0].apiVersions',
    'rules[0].resources',
    'rules[0].scope',
    'failurePolicy',
    'matchPolicy',
    'timeoutSeconds',
    'namespaceSelector.matchLabels',
    'objectSelector.matchExpressions[0].operator',
    'clientConfig',
    'admissionReviewVersions',
  ]);
});

test('names are full domain names, each once', async (t) => {
  for (const name of ['', 'a.b', 'A.b.c'])
    t.true(
      (await faults(hook({name}))).every((field) => field === 'name'),
      name,
    );
  t.deepEqual(await faults(hook(), hook()), ['webhooks[1].name']);
});

test('what a wildcard says is not said again', async (t) => {
  const check = async (members: object) =>
    (await faults(hook({rules: [{...rule, ...members}]}))).map((field) => field.replace('rules[0].', ''));
  t.deepEqual(await check({operations: ['*', 'CREATE'], apiGroups: ['*', ''], apiVersions: ['*', 'v1']}), [
    'operations',
    'apiGroups',
    'apiVersions',
  ]);
  t.deepEqual(await check({operations: ['LOOK'], apiVersions: ['']}), ['operations[0]', 'apiVersions[0]']);
  t.deepEqual(await check({resources: ['*/*', 'pods']}), ['resources']);
  t.deepEqual(await check({resources: ['*', 'pods']}), ['resources']);
  t.deepEqual(await check({resources: ['pods/*', 'pods/status', '*/scale', 'deployments/scale', '']}), [
    'resources[1]',
    'resources[3]',
    'resources[4]',
  ]);
  for (const resources of [['*'], ['*', '*/status'], ['pods', 'pods/status'], ['pods', 'pods/*'], ['*/*']]) {
    const made = await client().post(url(kinds[1]), {
      metadata: {generateName: 'rules-'},
      webhooks: [hook({rules: [{...rule, resources}]})],
    });
    t.is(made.status, 201, resources.join());
  }
});

test('a webhook is reached by an https URL or a service, not both', async (t) => {
  const check = async (clientConfig: object) =>
    (await faults(hook({clientConfig}))).map((field) => field.replace('clientConfig', '').replace(/^\./, ''));
  const service = {namespace: 'ns', name: 'svc'};
  t.deepEqual(await check({url: 'https://a.example', service}), ['']);
  t.deepEqual(await check({url: 'http://a.example'}), ['url']);
  t.deepEqual(await check({url: 'https://user:pw@a.example/?q=1#f'}), ['url', 'url', 'url']);
  t.deepEqual(await check({url: 'http://user:pw@/x?q=1#f'}), ['url', 'url', 'url', 'url', 'url']);
  t.deepEqual(await check({service: {namespace: '', name: '', port: 70_000, path: '/x//Y'}}), [
    'service.name',
    'service.namespace',
    'service.port',
    'service.path',
    'service.path',
  ]);
});

test('a URL that names a service is warned of', async (t) => {
  const make = async (address: string) =>
    client().post(url(kinds[1]), {metadata: {generateName: 'url-'}, webhooks: [hook({clientConfig: {url: address}})]});
  for (const address of ['https://hook.ns.svc/x', 'https://hook.ns.svc.cluster.local:8443'])
    t.regex(String((await make(address)).headers['warning']), /names a service/);
  t.notRegex(String((await make('https://hook.svcs.example')).headers['warning']), /names a service/);
});

test('a webhook understands a version of the review that the server sends', async (t) => {
  t.deepEqual(await faults(hook({admissionReviewVersions: ['v2']})), ['admissionReviewVersions']);
  t.deepEqual(await faults(hook({admissionReviewVersions: ['v1', 'v1', '1v']})), [
    'admissionReviewVersions[1]',
    'admissionReviewVersions[2]',
  ]);
  t.is(
    (
      await client().post(url(kinds[1]), {
        metadata: {generateName: 'review-'},
        webhooks: [hook({admissionReviewVersions: ['v2', 'v1beta1']})],
      })
    ).status,
    201,
  );
});

/** Only webhooks with conditions need expressions. */
const unusedExpressions = {scope: () => Promise.reject(new Error('no expressions are expected'))};

test('an update need not keep a rule that the stored configuration breaks already', async (t) => {
  const expressions = new ExpressionFaults(unusedExpressions, new CooperativeScheduler(), {enabled: () => false});
  const strategy = new ValidatingWebhookConfigurationStrategy(expressions, new StaticNames(orch, {enabled: () => false}));
  const update = async (webhooks: MutatingWebhook[], stored: MutatingWebhook[]) =>
    (await strategy.validateUpdate({metadata: {}, webhooks}, {metadata: {}, webhooks: stored}, context('', ''))).map(fieldErrorText);
  const cases = [[hook({sideEffects: 'Unknown'})], [hook({admissionReviewVersions: ['v2']})], [hook(), hook()]];
  for (const broken of cases) {
    t.deepEqual(await update(broken, broken), []);
    t.is((await update(broken, [hook()])).length, 1);
  }
});

test('the generation counts changes of webhooks, and an update needs a version', async (t) => {
  const made = (await client().post(url(kinds[0]), {metadata: {name: 'counted'}, webhooks: [hook()]})).json<{metadata: object}>();
  t.deepEqual(faultyFields(await client().put(`${url(kinds[0])}/counted`, {metadata: {name: 'counted'}, webhooks: []})), [
    'metadata.resourceVersion',
  ]);
  const generation = async (patch: object) =>
    (await client().patch(`${url(kinds[0])}/counted`, patch)).json<{metadata: {generation: number}}>().metadata.generation;
  t.like(made, {metadata: {generation: 1}});
  t.is(await generation({metadata: {labels: {a: 'b'}}}), 1);
  t.is(await generation({webhooks: [hook({timeoutSeconds: 5})]}), 2);
});
