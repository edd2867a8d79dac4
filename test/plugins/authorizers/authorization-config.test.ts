import {renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {startTestServer, type ServerOptions} from '@orch-api/orch/testing';
import {until} from '../../helpers/eventually.js';
import {httpsService} from '../../helpers/https-service.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {userClient} from '../../helpers/user-client.js';

const type = {apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthorizationConfiguration'};
const modern = {platform: 'kubernetes', release: '1.36', controllers: ['-*']} as const;
const rbac = {type: 'RBAC', name: 'rbac'};

interface Spec {
  readonly user: string;
  readonly resourceAttributes?: Readonly<Record<string, unknown>> & {readonly verb: string; readonly namespace?: string};
}

/** A service that answers reviews, and what an entry needs to name it. */
async function service(t: ExecutionContext, answer: (spec: Spec) => object | undefined) {
  const specs: Spec[] = [];
  const folder = tempFolder(t);
  const remote = await httpsService(t, (_request, body) => {
    const review = JSON.parse(body) as {apiVersion: string; kind: string; spec: Spec};
    specs.push(review.spec);
    const status = answer(review.spec);
    return status ? {apiVersion: review.apiVersion, kind: review.kind, status} : 'no review';
  });
  writeFileSync(join(folder, 'ca.crt'), remote.ca);
  const kubeConfigFile = join(folder, 'webhook.yaml');
  const cluster = {server: `${remote.url}/authorize`, 'certificate-authority': 'ca.crt'};
  writeFileSync(kubeConfigFile, JSON.stringify({clusters: [{name: 'remote', cluster}]}));
  const entry = (name: string, settings: object = {}) => ({
    type: 'Webhook',
    name,
    webhook: {
      timeout: '3s',
      subjectAccessReviewVersion: 'v1',
      failurePolicy: 'NoOpinion',
      connectionInfo: {type: 'KubeConfigFile', kubeConfigFile},
      ...settings,
    },
  });
  return {specs, remote, entry};
}

async function serverWith(t: ExecutionContext, authorizers: readonly object[], options: ServerOptions = {}) {
  const file = join(tempFolder(t), 'authorization.yaml');
  const write = (content: object) => {
    writeFileSync(`${file}.new`, JSON.stringify(content));
    renameSync(`${file}.new`, file);
  };
  write({...type, authorizers});
  const server = await startTestServer({...modern, authorizationConfig: file, ...options});
  t.teardown(() => server.stop());
  const metrics = async () => (await server.client.get('/metrics')).body.toString();
  return {server, write, metrics, ursula: await userClient(t, server, 'ursula', ['authors'])};
}

/** A file that names one authorizer. */
function fileWith(t: ExecutionContext, authorizer: object): string {
  const file = join(tempFolder(t), 'authorization.yaml');
  writeFileSync(file, JSON.stringify({...type, authorizers: [authorizer]}));
  return file;
}

const maps = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`;

test('several webhooks are asked in the order of the file, each where its conditions match, and what they decide is counted', async (t) => {
  const first = await service(t, ({resourceAttributes}) => ({
    allowed: false,
    denied: resourceAttributes?.namespace === 'shut',
    reason: 'first',
  }));
  const second = await service(t, () => ({allowed: true, reason: 'second'}));
  const conditions = (...expressions: string[]) => ({
    matchConditionSubjectAccessReviewVersion: 'v1',
    matchConditions: expressions.map((expression) => ({expression})),
  });
  const {ursula, metrics} = await serverWith(t, [
    first.entry(
      'first.example.com',
      conditions("request.user == 'ursula'", "has(request.resourceAttributes) && request.resourceAttributes.namespace != 'open'"),
    ),
    second.entry('second', conditions("!has(request.resourceAttributes) || request.resourceAttributes.verb == 'list'")),
    rbac,
  ]);
  t.is((await ursula.get(maps('open'))).status, 200);
  t.is(first.specs.length, 0, 'a condition excludes it');
  const refused = await ursula.get(maps('shut'));
  t.is(refused.status, 403);
  t.regex(refused.text, /: first"/);
  t.is((await ursula.get(`${maps('open')}?labelSelector=a%3Db,c&fieldSelector=metadata.name!%3Dx`)).status, 200);
  t.deepEqual(second.specs.at(-1)!.resourceAttributes, {
    namespace: 'open',
    verb: 'list',
    version: 'v1',
    resource: 'configmaps',
    fieldSelector: {requirements: [{key: 'metadata.name', operator: 'NotIn', values: ['x']}]},
    labelSelector: {
      requirements: [
        {key: 'a', operator: 'In', values: ['b']},
        {key: 'c', operator: 'Exists'},
      ],
    },
  });
  t.is((await ursula.get(`${maps('open')}/a`)).status, 403, 'nobody allows it');
  const text = await metrics();
  for (const line of [
    'apiserver_authorization_decisions_total{type="Webhook",name="first.example.com",decision="denied"} 1',
    'apiserver_authorization_decisions_total{type="Webhook",name="second",decision="allowed"} 2',
    'apiserver_authorization_match_condition_exclusions_total{type="Webhook",name="second"} 1',
    'apiserver_authorization_webhook_evaluations_total{name="second",result="success"} 2',
  ])
    t.true(text.includes(line), line);
});

test('where a service or a condition fails, the policy says whether that is no opinion or a denial', async (t) => {
  const broken = await service(t, () => undefined);
  const failing = {
    matchConditionSubjectAccessReviewVersion: 'v1',
    matchConditions: [{expression: "request.resourceAttributes.namespace == 'x'"}],
  };
  const open = await serverWith(t, [broken.entry('broken'), {type: 'AlwaysAllow', name: 'alwaysallow'}]);
  t.is((await open.ursula.get(maps('a'))).status, 200);
  t.regex(await open.metrics(), /apiserver_authorization_webhook_evaluations_fail_open_total\{name="broken",result="error"\} 1/);
  const shut = await serverWith(t, [broken.entry('broken', {failurePolicy: 'Deny'}), {type: 'AlwaysAllow', name: 'alwaysallow'}]);
  t.is((await shut.ursula.get(maps('a'))).status, 403);
  const unsure = await serverWith(t, [
    broken.entry('unsure', {...failing, failurePolicy: 'Deny'}),
    {type: 'AlwaysAllow', name: 'alwaysallow'},
  ]);
  t.is((await unsure.ursula.get(maps('a'))).status, 200, 'the condition is false');
  const review = {spec: {user: 'jo', nonResourceAttributes: {path: '/version', verb: 'get'}}};
  const {status} = (await unsure.server.client.post('/apis/authorization.k8s.io/v1/subjectaccessreviews', review)).json<{
    status: {allowed: boolean; denied?: boolean; evaluationError?: string};
  }>();
  t.true(status.denied);
  t.regex(status.evaluationError!, /^cel evaluation error: expression 'request\.resourceAttributes\.namespace == 'x'' resulted in error: /);
  t.regex(await unsure.metrics(), /apiserver_authorization_match_condition_evaluation_errors_total\{type="Webhook",name="unsure"\} 1/);
});

test('a changed file takes effect without a gap; one that cannot be used changes nothing and is counted', async (t) => {
  const remote = await service(t, () => ({allowed: true}));
  const {ursula, write, metrics} = await serverWith(t, [rbac]);
  t.is((await ursula.get(maps('a'))).status, 403);
  write({...type, authorizers: [remote.entry('late'), rbac]});
  await until('the webhook is asked', async () => (await ursula.get(maps('a'))).status === 200);
  t.regex(
    await metrics(),
    /apiserver_authorization_config_controller_automatic_reloads_total\{status="success",apiserver_id_hash="sha256:[0-9a-f]{64}"\} 1/,
  );
  for (const [index, authorizers] of [
    [remote.entry('late')],
    [{...rbac, name: 'other'}],
    [{type: 'Node', name: 'node'}, rbac],
    [],
  ].entries()) {
    write({...type, authorizers});
    const failure = new RegExp(`automatic_reloads_total\\{status="failure",apiserver_id_hash="sha256:[0-9a-f]{64}"\\} ${index + 1}`);
    await until('the file is refused', async () => failure.test(await metrics()));
    t.is((await ursula.get(maps('a'))).status, 200, JSON.stringify(authorizers));
  }
  write({...type, authorizers: [rbac]});
  await until('the webhook is not asked any more', async () => (await ursula.get(maps('a'))).status === 403);
});

test('a file says all that is wrong with it, in the words of Kubernetes', async (t) => {
  const file = join(tempFolder(t), 'authorization.yaml');
  const start = (content: object | string, options: ServerOptions = {}) => {
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return startTestServer({...modern, authorizationConfig: file, ...options});
  };
  const config = (...authorizers: object[]) => ({...type, authorizers});
  const webhook = (settings: object) => ({type: 'Webhook', name: 'w', webhook: settings});
  const known = '"ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook"';
  const faults: [object | string, RegExp][] = [
    [config(), /: authorizers: Required value: at least one authorization mode must be defined$/],
    [
      {...type, apiVersion: 'apiserver.config.k8s.io/v2'},
      /no kind "AuthorizationConfiguration" is registered for version "apiserver\.config\.k8s\.io\/v2"/,
    ],
    [{...config(rbac), more: 1}, /strict decoding error: unknown field "more"/],
    [config({name: 'x'}, rbac), /: authorizers\[0\]\.type: Required value$/],
    [config({type: 'Foo', name: 'foo'}), new RegExp(`authorizers\\[0\\]\\.type: Unsupported value: "Foo": supported values: ${known}$`)],
    [config(rbac, rbac), /: authorizers\[1\]\.type: Duplicate value: "RBAC"$/],
    [
      config({type: 'RBAC', name: 'a b'}),
      /authorizers\[0\]\.name: Invalid value: "a b": authorizer name is invalid: a lowercase RFC 1123 subdomain/,
    ],
    [config({type: 'RBAC', name: 'other'}), /: expected name rbac for authorizer RBAC instead of other$/],
    [config({type: 'Webhook', name: 'w'}), /: authorizers\[0\]\.webhook: Required value: required when type=Webhook$/],
    [config({...rbac, webhook: {}}), /\[?authorizers\[0\]\.webhook: Invalid value: "non-null": may only be specified when type=Webhook/],
    [config(webhook({timeout: '1x'})), /: failed to load AuthorizationConfiguration from file: time: unknown unit "x" in duration "1x"$/],
    [
      config(webhook({})),
      /\[authorizers\[0\]\.timeout: Required value, authorizers\[0\]\.subjectAccessReviewVersion: Required value, authorizers\[0\]\.failurePolicy: Required value, authorizers\[0\]\.connectionInfo\.type: Required value\]$/,
    ],
    [
      config(
        webhook({
          timeout: '31s',
          authorizedTTL: '-1s',
          unauthorizedTTL: '-5m',
          subjectAccessReviewVersion: 'v2',
          failurePolicy: 'Allow',
          connectionInfo: {type: 'KubeConfigFile', kubeConfigFile: 'relative'},
          matchConditionSubjectAccessReviewVersion: 'v1beta1',
          matchConditions: [{expression: ''}, {expression: 'request.x'}, {expression: 'true'}, {expression: 'true'}],
        }),
      ),
      /timeout: Invalid value: "31s": must be > 0s and <= 30s.*authorizedTTL: Invalid value: "-1s": must be > 0s.*unauthorizedTTL: Invalid value: "-5m0s": must be > 0s.*subjectAccessReviewVersion: Unsupported value: "v2": supported values: "v1", "v1beta1".*matchConditionSubjectAccessReviewVersion: Unsupported value.*failurePolicy: Unsupported value: "Allow": supported values: "NoOpinion", "Deny".*kubeConfigFile: Invalid value: "relative": must be an absolute path.*matchConditions\[0\]\.expression: Required value.*matchConditions\[1\]\.expression: Invalid value: "request\.x": compilation failed: .*matchConditions\[3\]\.expression: Duplicate value: "true"/s,
    ],
  ];
  for (const [content, message] of faults) await t.throwsAsync(start(content), {message});
  await t.throwsAsync(start(config(rbac), {authorizationMode: ['RBAC']}), {
    message: '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined',
  });
});

test('the configuration file may name the file with authorizers, the option wins over it, and beside modes it is refused', async (t) => {
  const anybody = fileWith(t, {type: 'AlwaysAllow', name: 'alwaysallow'});
  const nobody = fileWith(t, {type: 'AlwaysDeny', name: 'alwaysdeny'});
  const configuration = {authorizationConfig: anybody};
  const statusWith = async (options: ServerOptions) => {
    const server = await startTestServer({...modern, ...options});
    t.teardown(() => server.stop());
    return (await (await userClient(t, server, 'ursula', [])).get(maps('default'))).status;
  };
  t.is(await statusWith({configuration}), 200);
  t.is(await statusWith({configuration, authorizationConfig: nobody}), 403);
  await t.throwsAsync(startTestServer({...modern, configuration: {...configuration, authorizationMode: ['RBAC']}}), {
    message: /^--authorization-config can not be specified when --authorization-mode/,
  });
});
