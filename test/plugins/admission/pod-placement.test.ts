import type {ExecutionContext} from 'ava';
import type {Status} from '@orch-api/orch/sdk';
import {startTestServer} from '@orch-api/orch/testing';
import {admissionConfiguration} from '../../helpers/admission-configuration.js';
import {untilCached} from '../../helpers/cached.js';
import {testOnEachStore, type StoreContext} from '../../helpers/each-store.js';

const storeTest = testOnEachStore({platform: 'kubernetes', enableAdmissionPlugins: ['PodTolerationRestriction', 'PodNodeSelector']});

type Json = Record<string, unknown>;
interface Pod {
  spec: {nodeSelector?: Json; tolerations?: Json[]};
}

const requests = {cpu: '1m'};
const pod = (spec: Json = {}, name = 'p') => ({metadata: {name}, spec: {containers: [{name: 'c', image: 'x'}], ...spec}});

async function annotate({client, namespace}: StoreContext, annotations: Record<string, string | null>): Promise<void> {
  const prefixed = Object.fromEntries(Object.entries(annotations).map(([key, text]) => [`scheduler.alpha.kubernetes.io/${key}`, text]));
  const url = `/api/v1/namespaces/${namespace}`;
  await untilCached(client, url, await client.patch(url, {metadata: {annotations: prefixed}}));
}

async function made(t: ExecutionContext, {client, path}: StoreContext, body: object): Promise<Pod['spec']> {
  const answer = await client.post(`${path('pods')}?dryRun=All`, body);
  t.is(answer.status, 201, answer.body.toString());
  return answer.json<Pod>().spec;
}

async function refused(t: ExecutionContext, {client, path}: StoreContext, body: object, detail: string): Promise<void> {
  const answer = await client.post(path('pods'), body);
  t.is(answer.status, 403, answer.body.toString());
  t.is(answer.json<Status>().message, `pods "p" is forbidden: ${detail}`);
}

/** A file for `--admission-control-config-file`. */
storeTest('[B-ADM-16] pods have the node selector of their namespace', async (t, context) => {
  t.deepEqual((await made(t, context, pod({nodeSelector: {a: 'b'}}))).nodeSelector, {a: 'b'});
  await annotate(context, {'node-selector': 'zone=north, disk=fast'});
  t.deepEqual((await made(t, context, pod({nodeSelector: {a: 'b', disk: 'fast'}}))).nodeSelector, {a: 'b', disk: 'fast', zone: 'north'});
  await refused(
    t,
    context,
    pod({nodeSelector: {zone: 'south'}}),
    'pod node label selector conflicts with its namespace node label selector',
  );
  await annotate(context, {'node-selector': 'zone'});
  await refused(
    t,
    context,
    pod(),
    'the annotation scheduler.alpha.kubernetes.io/node-selector of the namespace has an invalid selector: "zone" is not KEY=VALUE',
  );
});

storeTest('[B-ADM-16] the configuration of PodNodeSelector has a default and what namespaces may select by', async (t, {start}) => {
  const podNodeSelectorPluginConfig = {clusterDefaultNodeSelector: 'pool=shared', default: 'pool=shared,zone=north'};
  const {client} = await start({
    enableAdmissionPlugins: ['PodNodeSelector'],
    admissionControlConfigFile: admissionConfiguration(t, 'PodNodeSelector', {podNodeSelectorPluginConfig}, 'kubernetes'),
  });
  const path = '/api/v1/namespaces/default/pods';
  const post = (nodeSelector?: Json) => client.post(`${path}?dryRun=All`, pod(nodeSelector ? {nodeSelector} : {}));
  t.deepEqual((await post()).json<Pod>().spec.nodeSelector, {pool: 'shared'});
  t.deepEqual((await post({zone: 'north'})).json<Pod>().spec.nodeSelector, {pool: 'shared', zone: 'north'});
  const answer = await post({zone: 'south'});
  t.is(answer.json<Status>().message, 'pods "p" is forbidden: pod node label selector labels conflict with its namespace whitelist');
});

storeTest('[B-ADM-18] pods have the tolerations of their namespace', async (t, context) => {
  const shared = {key: 'shared', operator: 'Exists', effect: 'NoSchedule'};
  await annotate(context, {defaultTolerations: JSON.stringify([shared])});
  const own = {key: 'own', operator: 'Equal', value: 'x', effect: 'NoSchedule'};
  const added = async (spec: Json) =>
    (await made(t, context, pod(spec))).tolerations!.filter(({effect}) => effect !== 'NoExecute').map(({key}) => key);
  t.deepEqual(await added({}), ['shared']);
  t.deepEqual(
    await added({tolerations: [own, {key: 'shared', value: 'x', effect: 'NoSchedule'}]}),
    ['own', 'shared'],
    'none that another covers',
  );
  t.deepEqual(
    await added({containers: [{name: 'c', image: 'x', resources: {requests}}]}),
    ['shared', 'node.kubernetes.io/memory-pressure'],
    'pods that ask for something bear nodes that are short of memory',
  );
  await annotate(context, {defaultTolerations: '{}'});
  await refused(
    t,
    context,
    pod(),
    'the annotation scheduler.alpha.kubernetes.io/defaultTolerations of the namespace is not a list of tolerations',
  );
});

storeTest('[B-ADM-19] pods tolerate nothing that the whitelist of their namespace does not cover', async (t, context) => {
  const noExecute = ['not-ready', 'unreachable'].map((key) => ({
    key: `node.kubernetes.io/${key}`,
    operator: 'Exists',
    effect: 'NoExecute',
  }));
  const allowed = [
    ...noExecute,
    {key: 'team', operator: 'Exists'},
    {key: 'slow', value: 'yes', effect: 'NoExecute', tolerationSeconds: 60},
  ];
  await annotate(context, {tolerationsWhitelist: JSON.stringify(allowed)});
  const text = 'pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist';
  for (const toleration of [
    {key: 'team', value: 'a', effect: 'NoSchedule'},
    {key: 'slow', value: 'yes', effect: 'NoExecute', tolerationSeconds: 30},
  ])
    await made(t, context, pod({tolerations: [toleration]}));
  for (const toleration of [
    {key: 'other', operator: 'Exists'},
    {operator: 'Exists'},
    {key: 'slow', value: 'no', effect: 'NoExecute', tolerationSeconds: 30},
    {key: 'slow', value: 'yes', effect: 'NoExecute', tolerationSeconds: 90},
    {key: 'slow', value: 'yes', effect: 'NoExecute'},
  ])
    await refused(t, context, pod({tolerations: [toleration]}), text);
  t.is((await context.client.post(context.path('pods'), pod({}, 'there'))).status, 201);
  const there = `${context.path('pods')}/there`;
  const more = [...(await context.client.get(there)).json<Pod>().spec.tolerations!, {key: 'other', operator: 'Exists'}];
  const answer = await context.client.patch(there, {spec: {tolerations: more}});
  t.is(answer.status, 403, 'an update is checked too');
  await annotate(context, {tolerationsWhitelist: ''});
  await made(t, context, pod({tolerations: [{operator: 'Exists'}]}));
});

storeTest(
  '[B-ADM-18] [B-ADM-19] the configuration of PodTolerationRestriction counts where a namespace says nothing',
  async (t, {start}) => {
    const form = {apiVersion: 'podtolerationrestriction.admission.k8s.io/v1alpha1', kind: 'Configuration'};
    const lists = {default: [{key: 'shared', operator: 'Exists'}], whitelist: [{key: 'shared', operator: 'Exists'}]};
    const {client} = await start({
      enableAdmissionPlugins: ['PodTolerationRestriction'],
      disableAdmissionPlugins: ['DefaultTolerationSeconds'],
      admissionControlConfigFile: admissionConfiguration(t, 'PodTolerationRestriction', {...form, ...lists}, 'kubernetes'),
    });
    const post = (spec: Json = {}) => client.post('/api/v1/namespaces/default/pods?dryRun=All', pod(spec));
    t.deepEqual((await post()).json<Pod>().spec.tolerations, [{key: 'shared', operator: 'Exists'}]);
    t.is((await post({tolerations: [{key: 'other', operator: 'Exists'}]})).status, 403);
  },
);

storeTest('[B-ADM-29] PodNodeSelector and PodTolerationRestriction are off by default', async (t, {start}) => {
  const {client} = await start({enableAdmissionPlugins: []});
  const annotations = {
    'scheduler.alpha.kubernetes.io/node-selector': 'a=b',
    'scheduler.alpha.kubernetes.io/defaultTolerations': '[{"key":"a","operator":"Exists"}]',
  };
  t.is((await client.post('/api/v1/namespaces', {metadata: {name: 'n', annotations}})).status, 201);
  const {spec} = (await client.post('/api/v1/namespaces/n/pods', pod())).json<Pod>();
  t.is(spec.nodeSelector, undefined);
  t.false(spec.tolerations!.some(({key}) => key === 'a'));
});

storeTest('[B-ADM-31] the order in which controllers are enabled makes no difference', async (t, {start}) => {
  const names = ['PodTolerationRestriction', 'PodNodeSelector', 'AlwaysPullImages'];
  for (const enableAdmissionPlugins of [names, names.toReversed()]) {
    const {client} = await start({enableAdmissionPlugins});
    const annotations = {
      'scheduler.alpha.kubernetes.io/node-selector': 'a=b',
      'scheduler.alpha.kubernetes.io/tolerationsWhitelist': '[{"key":"a"}]',
    };
    t.is((await client.post('/api/v1/namespaces', {metadata: {name: 'n', annotations}})).status, 201);
    const answer = await client.post('/api/v1/namespaces/n/pods', pod({nodeSelector: {a: 'c'}}));
    t.regex(answer.json<Status>().message!, /node label selector conflicts/, 'the first in the chain speaks');
  }
});

const wrong: [string, object, RegExp][] = [
  [
    'PodNodeSelector',
    {podNodeSelectorPluginConfig: {default: 'a'}},
    /podNodeSelectorPluginConfig\.default: invalid selector: "a" is not KEY=VALUE/,
  ],
  ['PodNodeSelector', {other: {}}, /other is not known/],
  [
    'PodTolerationRestriction',
    {apiVersion: 'x/v1', kind: 'Configuration', default: [{key: 'a', operator: 'Foo'}], more: 1},
    /apiVersion and kind must be podtolerationrestriction\.admission\.k8s\.io\/v1alpha1 Configuration; default\[0\]\.operator: Unsupported value: "Foo".*; more: is not known/,
  ],
];
for (const [name, content, pattern] of wrong) {
  storeTest(`a server does not start with a wrong configuration of ${name}: ${Object.keys(content).join(', ')}`, async (t) => {
    const options = {
      platform: 'kubernetes',
      enableAdmissionPlugins: [name],
      admissionControlConfigFile: admissionConfiguration(t, name, content, 'kubernetes'),
    };
    const error = await t.throwsAsync(startTestServer(options));
    t.regex(error.message, pattern);
  });
}
