import test, {type ExecutionContext} from 'ava';
import type {Status} from '@orch-api/orch/sdk';
import {startTestServer} from '@orch-api/orch/testing';
import {admissionConfiguration} from '../../../helpers/admission-configuration.js';
import {untilCached} from '../../../helpers/cached.js';
import {testOnEachStore, type StoreContext} from '../../../helpers/each-store.js';
import {recordingLogger} from '../../../helpers/recording-logger.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {userClient} from '../../../helpers/user-client.js';

// Owners are invented.
const storeTest = testOnEachStore({platform: 'kubernetes', controllers: ['*', '-garbagecollector']});

type Json = Record<string, unknown>;
type Answer = {status: number; headers: Record<string, unknown>; body: Buffer; json<T>(): T};

const prefix = 'pod-security.kubernetes.io/';
const good = {
  securityContext: {runAsNonRoot: true, seccompProfile: {type: 'RuntimeDefault'}},
  containers: [{name: 'a', image: 'x', securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: ['ALL']}}}],
};
const bare = {containers: [{name: 'a', image: 'x'}]};
const onHost = {...bare, hostNetwork: true};
const pod = (name: string, spec: Json = bare, metadata: Json = {}) => ({metadata: {name, ...metadata}, spec});
const bareDetail =
  'allowPrivilegeEscalation != false (container "a" must set securityContext.allowPrivilegeEscalation=false), ' +
  'unrestricted capabilities (container "a" must set securityContext.capabilities.drop=["ALL"]), ' +
  'runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true), ' +
  'seccompProfile (pod or container "a" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")';

async function label(
  {client, namespace}: Pick<StoreContext, 'client' | 'namespace'>,
  labels: Record<string, string | null>,
): Promise<Answer> {
  const keyed = Object.fromEntries(Object.entries(labels).map(([name, value]) => [prefix + name, value]));
  const url = `/api/v1/namespaces/${namespace}`;
  const answer = await client.patch(url, {metadata: {labels: keyed}});
  if (answer.status === 200) await untilCached(client, url, answer);
  return answer;
}

/** Texts of the `Warning` headers. */
function warnings({headers}: Answer): string[] {
  const text = headers['warning'];
  return typeof text === 'string'
    ? [...text.matchAll(/299 - ("(?:[^"\\]|\\.)*")/g)].map(([, quoted]) => JSON.parse(quoted!) as string)
    : [];
}

function refused(t: ExecutionContext, answer: Answer, message: string): void {
  t.is(answer.status, 403, answer.body.toString());
  t.is(answer.json<Status>().message, message);
}

storeTest('[B-ADM-17] [B-ADM-30] a namespace without labels takes every pod', async (t, {client, path}) => {
  const made = await client.post(path('pods'), pod('p', onHost));
  t.is(made.status, 201, made.body.toString());
  t.deepEqual(warnings(made), []);
});

storeTest('[B-ADM-17] pods that violate the level that a namespace enforces are refused, with all the reasons', async (t, context) => {
  const {client, path} = context;
  t.is((await label(context, {enforce: 'restricted'})).status, 200);
  refused(t, await client.post(path('pods'), pod('p')), `pods "p" is forbidden: violates PodSecurity "restricted:latest": ${bareDetail}`);
  t.is((await client.post(path('pods'), pod('p', good))).status, 201);
  t.is((await label(context, {enforce: 'baseline', 'enforce-version': 'v1.20'})).status, 200);
  t.is((await client.post(path('pods'), pod('q'))).status, 201);
  const host = 'host namespaces (hostNetwork=true)';
  refused(t, await client.post(path('pods'), pod('r', onHost)), `pods "r" is forbidden: violates PodSecurity "baseline:v1.20": ${host}`);
  t.is((await label(context, {enforce: null})).status, 200);
  t.is((await client.post(path('pods'), pod('s', onHost))).status, 201);
});

storeTest('[B-ADM-17] init and ephemeral containers count', async (t, context) => {
  const {client, path} = context;
  await label(context, {enforce: 'baseline'});
  const privileged = (name: string) => ({name, image: 'x', securityContext: {privileged: true}});
  const detail = (name: string) => `privileged (container "${name}" must not set securityContext.privileged=true)`;
  refused(
    t,
    await client.post(path('pods'), pod('p', {...bare, initContainers: [privileged('i')]})),
    `pods "p" is forbidden: violates PodSecurity "baseline:latest": ${detail('i')}`,
  );
  t.is((await client.post(path('pods'), pod('p'))).status, 201);
  const added = {spec: {ephemeralContainers: [{...privileged('e'), terminationMessagePolicy: 'File'}]}};
  refused(
    t,
    await client.patch(`${path('pods')}/p/ephemeralcontainers`, added, 'application/strategic-merge-patch+json'),
    `pods "p" is forbidden: violates PodSecurity "baseline:latest": ${detail('e')}`,
  );
});

storeTest('[B-ADM-17] a level to warn of lets pods in and tells what is wrong, of templates of every kind too', async (t, context) => {
  const {client, path} = context;
  await label(context, {warn: 'restricted', 'warn-version': 'v1.7'});
  const text =
    'would violate PodSecurity "restricted:v1.7": runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true)';
  const made = await client.post(path('pods'), pod('p'));
  t.is(made.status, 201, made.body.toString());
  t.deepEqual(warnings(made), [text]);

  const metadata = {name: 'w'};
  const template = {metadata: {labels: {app: 'w'}}, spec: bare};
  const once = {...template, spec: {...bare, restartPolicy: 'Never'}};
  const selector = {matchLabels: {app: 'w'}};
  const owners: [string, string, Json][] = [
    ['replicationcontrollers', 'v1', {spec: {selector: {app: 'w'}, template}}],
    ['podtemplates', 'v1', {template}],
    ['replicasets', 'apps/v1', {spec: {selector, template}}],
    ['deployments', 'apps/v1', {spec: {selector, template}}],
    ['daemonsets', 'apps/v1', {spec: {selector, template}}],
    ['statefulsets', 'apps/v1', {spec: {selector, serviceName: 'w', template}}],
    ['jobs', 'batch/v1', {spec: {template: once}}],
    ['cronjobs', 'batch/v1', {spec: {schedule: '0 0 * * *', jobTemplate: {spec: {template: once}}}}],
  ];
  for (const [resource, version, object] of owners) {
    const answer = await client.post(version === 'v1' ? path(resource) : path(resource, version), {metadata, ...object});
    t.is(answer.status, 201, `${resource}: ${answer.body.toString()}`);
    t.deepEqual(warnings(answer), [text], resource);
  }
});

storeTest('[B-ADM-17] what is enforced is warned of in templates, which are let in', async (t, context) => {
  const {client, path} = context;
  await label(context, {enforce: 'baseline', 'enforce-version': 'v1.2'});
  const template = {metadata: {labels: {app: 'w'}}, spec: onHost};
  const answer = await client.post(path('deployments', 'apps/v1'), {
    metadata: {name: 'w'},
    spec: {selector: {matchLabels: {app: 'w'}}, template},
  });
  t.is(answer.status, 201);
  t.deepEqual(warnings(answer), ['would violate PodSecurity "baseline:v1.2": host namespaces (hostNetwork=true)']);
});

storeTest(
  '[B-ADM-17] a pod that was there before its namespace became strict can be labelled and deleted, but gets no new image',
  async (t, context) => {
    const {client, path} = context;
    t.is((await client.post(path('pods'), pod('p', onHost))).status, 201);
    await label(context, {enforce: 'baseline'});
    t.is((await client.patch(`${path('pods')}/p`, {metadata: {labels: {a: 'b'}}})).status, 200);
    const image = {spec: {containers: [{name: 'a', image: 'y'}]}};
    refused(
      t,
      await client.patch(`${path('pods')}/p`, image, 'application/strategic-merge-patch+json'),
      'pods "p" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
    );
    t.is((await client.patch(`${path('pods')}/p/status`, {status: {message: 'm'}})).status, 200);
    t.is((await client.delete(`${path('pods')}/p`)).status, 200);
  },
);

storeTest('[B-ADM-17] labels that mean nothing are refused, unless they were there before', async (t, context) => {
  const {client, namespace} = context;
  const metadata = {name: `${namespace}-new`, labels: {[`${prefix}enforce`]: 'Restricted', [`${prefix}warn-version`]: '1.26'}};
  const answer = await client.post('/api/v1/namespaces', {metadata});
  t.is(answer.status, 422);
  t.is(
    answer.json<Status>().message,
    `Namespace "${namespace}-new" is invalid: [metadata.labels[${prefix}enforce]: Invalid value: "Restricted": must be one of privileged, baseline, restricted, ` +
      `metadata.labels[${prefix}warn-version]: Invalid value: "1.26": must be "latest" or "v1.x"]`,
  );
  t.is((await label(context, {audit: 'none'})).status, 422);
});

test('[B-ADM-17] where labels mean nothing the strictest level is enforced, and nothing is warned of', async (t) => {
  const options = {platform: 'kubernetes', store: 'embedded', dataDir: tempFolder(t)};
  const odd = '/api/v1/namespaces/odd';
  {
    await using server = await startTestServer({...options, disableAdmissionPlugins: ['PodSecurity']});
    const metadata = {name: 'odd', labels: {[`${prefix}enforce`]: 'odd', [`${prefix}warn`]: 'odd', [`${prefix}enforce-version`]: 'odd'}};
    t.is((await server.client.post('/api/v1/namespaces', {metadata})).status, 201);
    t.is((await server.client.post(`${odd}/pods`, pod('p', onHost))).status, 201, 'switched off it checks nothing');
  }
  await using server = await startTestServer(options);
  const {client} = server;
  refused(t, await client.post(`${odd}/pods`, pod('q')), `pods "q" is forbidden: violates PodSecurity "restricted:latest": ${bareDetail}`);
  const template = {metadata: {labels: {app: 'w'}}, spec: onHost};
  const owner = {metadata: {name: 'w'}, spec: {selector: {matchLabels: {app: 'w'}}, template}};
  const made = await client.post('/apis/apps/v1/namespaces/odd/deployments', owner);
  t.is(made.status, 201);
  t.deepEqual(warnings(made), []);
  t.is((await client.patch(odd, {metadata: {labels: {other: 'x'}}})).status, 200, 'what was there before may stay');
});

storeTest('[B-ADM-17] who makes a namespace stricter is told of its pods', async (t, context) => {
  const {client, path, namespace} = context;
  const owner = (uid: string) => ({ownerReferences: [{apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid, controller: true}]});
  for (const made of [pod('b', onHost), pod('a', onHost), pod('c', onHost, owner('u')), pod('d'), pod('e', good)]) {
    t.is((await client.post(path('pods'), made)).status, 201);
  }
  const baseline = await label(context, {enforce: 'baseline'});
  t.deepEqual(warnings(baseline), [
    `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "baseline:latest"`,
    'a (and 2 other pods): host namespaces',
  ]);
  const restricted = await label(context, {enforce: 'restricted', 'enforce-version': 'v1.7'});
  t.deepEqual(warnings(restricted), [
    `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "restricted:v1.7"`,
    'a (and 2 other pods): host namespaces, runAsNonRoot != true',
    'd: runAsNonRoot != true',
  ]);
  t.deepEqual(warnings(await label(context, {enforce: 'baseline'})), [], 'a lower level of the same version');
  t.deepEqual(warnings(await label(context, {warn: 'restricted'})), [], 'another mode');
  t.deepEqual(warnings(await label(context, {enforce: 'privileged', 'enforce-version': 'latest'})), []);
});

storeTest(
  '[B-ADM-17] [B-ADM-31] the configuration has defaults and exemptions; what is checked is noted with the request',
  async (t, {start}) => {
    const configuration = {
      apiVersion: 'pod-security.admission.config.k8s.io/v1',
      kind: 'PodSecurityConfiguration',
      defaults: {enforce: 'baseline', 'enforce-version': 'v1.9', audit: 'restricted', 'audit-version': 'v1.7'},
      exemptions: {usernames: ['trusted'], namespaces: ['free'], runtimeClasses: ['vm']},
    };
    const {logger, lines} = recordingLogger();
    const server = await start({admissionControlConfigFile: admissionConfiguration(t, 'PodSecurity', configuration, 'kubernetes'), logger});
    const {client} = server;
    const pods = '/api/v1/namespaces/default/pods';
    refused(
      t,
      await client.post(pods, pod('p', onHost)),
      'pods "p" is forbidden: violates PodSecurity "baseline:v1.9": host namespaces (hostNetwork=true)',
    );
    const noted = () => lines.flatMap(({fields}) => (fields['annotations'] ? [fields['annotations'] as Json] : [])).at(-1);
    t.deepEqual(noted(), {
      [`${prefix}enforce-policy`]: 'baseline:v1.9',
      [`${prefix}audit-violations`]:
        'would violate PodSecurity "restricted:v1.7": host namespaces (hostNetwork=true), runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true)',
    });

    t.is((await client.post('/apis/node.k8s.io/v1/runtimeclasses', {metadata: {name: 'vm'}, handler: 'vm'})).status, 201);
    t.is((await client.post(pods, pod('p', {...onHost, runtimeClassName: 'vm'}))).status, 201);
    t.deepEqual(noted(), {[`${prefix}exempt`]: 'runtimeClass'});

    const trusted = await userClient(t, server, 'trusted', ['system:masters']);
    const byTrusted = await trusted.post(pods, pod('q', onHost));
    t.is(byTrusted.status, 201);
    t.deepEqual(noted(), {[`${prefix}exempt`]: 'user'});

    const free = await client.post('/api/v1/namespaces', {metadata: {name: 'free', labels: {[`${prefix}enforce`]: 'restricted'}}});
    t.is(free.status, 201);
    t.deepEqual(warnings(free), ['namespace "free" is exempt from Pod Security, and the policy (enforce=restricted:v1.9) will be ignored']);
    t.is((await client.post('/api/v1/namespaces/free/pods', pod('p', onHost))).status, 201);
    t.deepEqual(noted(), {[`${prefix}exempt`]: 'namespace'});
  },
);

storeTest('[B-ADM-17] a configuration with faults keeps the server from starting and tells all of them', async (t, {start}) => {
  const startWith = (configuration: Json) =>
    start({admissionControlConfigFile: admissionConfiguration(t, 'PodSecurity', configuration, 'kubernetes')});
  const wrong = {
    apiVersion: 'pod-security.admission.config.k8s.io/v2',
    kind: 'PodSecurityConfiguration',
    defaults: {enforce: 'strict', 'warn-version': '1.26', other: 'x'},
    exemptions: {usernames: ['a', '', 'a'], namespaces: ['A'], runtimeClasses: 'vm'},
  };
  const error = await t.throwsAsync(startWith(wrong));
  for (const part of [
    'PodSecurity',
    'apiVersion: must be pod-security.admission.config.k8s.io/v1 (or v1beta1, v1alpha1)',
    'defaults.other: unknown field',
    'defaults.enforce: must be one of privileged, baseline, restricted',
    'defaults.warn-version: must be "latest" or "v1.x"',
    'exemptions.usernames[1]: username must not be empty',
    'exemptions.usernames[2]: is there twice',
    'exemptions.namespaces[0]: ',
    'exemptions.runtimeClasses: must be a list',
  ]) {
    t.true(error.message.includes(part), `${part} in ${error.message}`);
  }
  for (const version of ['v1beta1', 'v1alpha1']) {
    await startWith({apiVersion: `pod-security.admission.config.k8s.io/${version}`, kind: 'PodSecurityConfiguration'});
  }
});
