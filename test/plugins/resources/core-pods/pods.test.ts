import test from 'ava';
import type {ApiObject} from '../../../../sdk/index.js';
import {causesOf, faultyFields, servedGroup, tableRows} from '../served-group.js';

// Pods alone: what a service account adds to them is tested with its admission controller.
const client = servedGroup(test, {disableAdmissionPlugins: ['ServiceAccount']});
const path = '/api/v1/namespaces/default/pods';
const strategic = 'application/strategic-merge-patch+json';

interface Pod extends ApiObject {
  spec: Record<string, unknown> & {containers: {image: string; resources: Record<string, unknown>}[]; ephemeralContainers?: unknown[]};
  status: Record<string, unknown>;
}

const pod = (name: string, spec: Record<string, unknown> = {}, container: Record<string, unknown> = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {name, labels: {app: name}},
  spec: {containers: [{name: 'main', image: 'web:1', ...container}], ...spec},
});

async function made(name: string, spec?: Record<string, unknown>, container?: Record<string, unknown>): Promise<Pod> {
  const response = await client().post(path, pod(name, spec, container));
  if (response.status !== 201) throw new Error(response.body.toString());
  return response.json<Pod>();
}

/** Puts a pod on a machine. */
const bind = (name: string) =>
  client().post(`${path}/${name}/binding`, {apiVersion: 'v1', kind: 'Binding', metadata: {name}, target: {kind: 'Node', name: 'n1'}});

test('a new pod is Pending, whatever status it was sent with, and has its defaults', async (t) => {
  const response = await client().post(path, {
    ...pod('fresh', {serviceAccount: 'robot'}, {resources: {limits: {cpu: '1', memory: '1Gi'}}}),
    status: {phase: 'Running', podIP: '10.0.0.1'},
  });
  const {spec, status} = response.json<Pod>();
  t.deepEqual(status, {phase: 'Pending', qosClass: 'Guaranteed'});
  t.deepEqual(spec.containers[0]?.resources, {limits: {cpu: '1', memory: '1Gi'}, requests: {cpu: '1', memory: '1Gi'}});
  t.is(spec['serviceAccountName'], 'robot');
  t.is(spec['enableServiceLinks'], true);
  t.is(spec['restartPolicy'], 'Always');
});

const classes: [string, Record<string, unknown>, string][] = [
  ['nothing asked for', {}, 'BestEffort'],
  ['only the disk', {limits: {'ephemeral-storage': '1Gi'}}, 'BestEffort'],
  ['half of it', {requests: {cpu: '1'}}, 'Burstable'],
  ['less than the limit', {limits: {cpu: '2', memory: '1Gi'}, requests: {cpu: '1', memory: '1Gi'}}, 'Burstable'],
  ['zero', {limits: {cpu: '0', memory: '0'}}, 'BestEffort'],
];
for (const [index, [title, resources, expected]] of classes.entries()) {
  test(`the class of a pod with ${title} is ${expected}`, async (t) => {
    t.is((await made(`class-${index}`, {}, {resources})).status['qosClass'], expected);
  });
}

test('all faults of a pod are reported at once', async (t) => {
  const response = await client().post(
    path,
    pod('bad', {restartPolicy: 'Perhaps', nodeName: '!', ephemeralContainers: [{name: 'e', image: 'i'}]}, {image: ' web ', ports: [{}]}),
  );
  t.deepEqual(faultyFields(response), [
    'spec.containers[0].ports[0].containerPort',
    'spec.restartPolicy',
    'spec.nodeName',
    'spec.containers[0].image',
    'spec.ephemeralContainers',
  ]);
});

test('a token is projected only for a service account that is named', async (t) => {
  const volumes = [{name: 't', projected: {sources: [{serviceAccountToken: {path: 'token'}}]}}];
  t.deepEqual(
    causesOf(await client().post(`${path}?dryRun=All`, pod('token', {volumes, serviceAccountName: ''}))).at(-1),
    'spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set',
  );
  t.is((await client().post(`${path}?dryRun=All`, pod('token', {volumes, serviceAccountName: 'robot'}))).status, 201);
});

test('resources of the domain of the platform may be shared out in parts, those of others only whole', async (t) => {
  const faults = async (name: string) => {
    const response = await client().post(`${path}?dryRun=All`, pod('measured', {}, {resources: {limits: {[name]: '1500m'}}}));
    return response.status === 201 ? [] : faultyFields(response);
  };
  for (const name of ['orch/part', 'sub.orch/part']) t.deepEqual(await faults(name), [], name);
  for (const name of ['torch/gpu', 'example.com/orch']) {
    t.deepEqual(
      await faults(name),
      ['limits', 'requests'].map((member) => `spec.containers[0].resources.${member}[${name}]`),
      name,
    );
  }
});

test('images, deadlines and tolerations of a pod may change, nothing else', async (t) => {
  await made('changing', {tolerations: [{key: 'a', operator: 'Exists'}], activeDeadlineSeconds: 100});
  const patch = (spec: unknown) => client().patch(`${path}/changing`, {spec}, strategic);
  t.is((await patch({containers: [{name: 'main', image: 'web:2'}]})).status, 200);
  t.is((await patch({activeDeadlineSeconds: 50})).status, 200);
  t.is(
    (
      await patch({
        tolerations: [
          {key: 'a', operator: 'Exists'},
          {key: 'b', operator: 'Exists'},
        ],
      })
    ).status,
    200,
  );
  t.deepEqual(causesOf(await patch({activeDeadlineSeconds: 60})), [
    'spec.activeDeadlineSeconds: Invalid value: 60: must be less than or equal to previous value',
  ]);
  t.deepEqual(causesOf(await patch({activeDeadlineSeconds: null})), [
    'spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value',
  ]);
  t.deepEqual(causesOf(await patch({tolerations: [{key: 'b', operator: 'Exists'}]})), [
    'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
  ]);
  t.deepEqual(causesOf(await patch({containers: [{name: 'more', image: 'i'}]})), [
    'spec.containers: Forbidden: pod updates may not add or remove containers',
  ]);
  const [other, ...more] = causesOf(await patch({hostname: 'x', containers: [{name: 'main', command: ['y']}]}));
  t.regex(
    other!,
    /^spec: Forbidden: pod updates may not change fields other than `spec\.containers\[\*\]\.image`[^]*\n- hostname: null\n\+ hostname: "x"/,
  );
  t.deepEqual(more, []);
});

test('annotations that say how a pod was started stay', async (t) => {
  const key = 'container.apparmor.security.beta.orch/main';
  await made('armoured');
  const response = await client().patch(`${path}/armoured`, {
    metadata: {annotations: {[key]: 'runtime/default', 'orch/config.mirror': 'x', other: 'y'}},
  });
  t.deepEqual(faultyFields(response), [
    'metadata.annotations[orch/config.mirror]',
    `metadata.annotations[${key}]`,
    'metadata.annotations[orch/config.mirror]',
  ]);
});

test('the status endpoint takes the status alone, and a container that has ended stays so', async (t) => {
  await made('reporting', {restartPolicy: 'Never'});
  const status = {phase: 'Failed', podIP: '10.1.0.1', containerStatuses: [{name: 'main', state: {terminated: {exitCode: 1}}}]};
  const reported = (await client().patch(`${path}/reporting/status`, {spec: {nodeName: 'elsewhere'}, status})).json<Pod>();
  t.is(reported.spec['nodeName'], undefined);
  t.deepEqual(reported.status['podIPs'], [{ip: '10.1.0.1'}]);
  const again = {
    containerStatuses: [{name: 'main', state: {running: {}}}],
    podIPs: [{ip: '10.1.0.1'}, {ip: '10.1.0.2'}],
    conditions: [{type: 'not ok!', status: 'True'}],
  };
  t.deepEqual(faultyFields(await client().patch(`${path}/reporting/status`, {status: again})), [
    'status.conditions[0].type',
    'status.containerStatuses[0].state',
    'status.podIPs',
  ]);
});

test('containers can be added to a running pod, neither changed nor taken away', async (t) => {
  await made('debugged');
  const add = (ephemeralContainers: unknown) =>
    client().patch(
      `${path}/debugged/ephemeralcontainers`,
      {spec: {ephemeralContainers, hostname: 'ignored'}},
      'application/merge-patch+json',
    );
  const added = await add([{name: 'shell', image: 'busybox', targetContainerName: 'main'}]);
  t.is(added.status, 200);
  t.is(added.json<Pod>().spec['hostname'], undefined);
  t.is(added.json<Pod>().spec.ephemeralContainers?.length, 1);
  t.deepEqual(causesOf(await add([])), ['spec.ephemeralContainers: Forbidden: existing ephemeral containers "shell" may not be removed']);
  t.deepEqual(causesOf(await add([{name: 'shell', image: 'other', targetContainerName: 'main'}])), [
    'spec.ephemeralContainers: Forbidden: existing ephemeral containers "shell" may not be changed',
  ]);
  const bad = {name: 'main', image: 'i', targetContainerName: 'none', ports: [{containerPort: 1}]};
  t.deepEqual(faultyFields(await add([{name: 'shell', image: 'busybox', targetContainerName: 'main'}, bad])), [
    'spec.ephemeralContainers[1].name',
    'spec.ephemeralContainers[1].targetContainerName',
    'spec.ephemeralContainers[1].ports',
  ]);
  const empty = {name: 'empty', image: 'i', lifecycle: {}, resources: {}, ports: []};
  t.deepEqual(faultyFields(await add([{name: 'shell', image: 'busybox', targetContainerName: 'main'}, empty])), [
    'spec.ephemeralContainers[1].lifecycle',
  ]);
  t.is((await client().get(`${path}/debugged/ephemeralcontainers`)).json<Pod>().kind, 'Pod');
});

test('a pod that runs nowhere is gone at once, one on a machine waits for its grace period', async (t) => {
  await made('idle');
  t.is((await client().delete(`${path}/idle`)).json<{kind: string}>().kind, 'Pod');
  t.is((await client().get(`${path}/idle`)).status, 404);

  await made('busy', {terminationGracePeriodSeconds: 7});
  await bind('busy');
  const waiting = (await client().delete(`${path}/busy`)).json<Pod>();
  t.is(waiting.metadata.deletionGracePeriodSeconds, 7);
  t.true(Date.parse(waiting.metadata.deletionTimestamp!) > Date.now() + 4000);
  t.is((await client().delete(`${path}/busy?gracePeriodSeconds=3`)).json<Pod>().metadata.deletionGracePeriodSeconds, 3);
  t.is((await client().delete(`${path}/busy?gracePeriodSeconds=0`)).json<{kind: string}>().kind, 'Pod');
  t.is((await client().get(`${path}/busy`)).status, 404);
});

test('a grace period of any length can be asked for; none is longer than a machine can count', async (t) => {
  for (const [name, period] of [
    ['patient', '9223372036854775807'],
    ['long', '1000000000000000'],
  ] as const) {
    const body = JSON.stringify(pod(name, {nodeName: 'n1', terminationGracePeriodSeconds: 0})).replace(
      '"terminationGracePeriodSeconds":0',
      `"terminationGracePeriodSeconds":${period}`,
    );
    t.is((await client().post(path, body, {headers: {'content-type': 'application/json'}})).status, 201);
    const deleted = await client().delete(`${path}/${name}`);
    t.is(deleted.status, 200, deleted.body.toString());
    t.is(deleted.json<Pod>().metadata.deletionGracePeriodSeconds, 2 ** 31 - 1);
  }
});

test('a pod that has finished is gone at once', async (t) => {
  await made('done');
  await bind('done');
  await client().patch(`${path}/done/status`, {status: {phase: 'Succeeded'}});
  t.is((await client().delete(`${path}/done`)).json<{kind: string}>().kind, 'Pod');
});

test('pods are selected by machine, phase and address', async (t) => {
  await made('selected', {schedulerName: 'mine'});
  await bind('selected');
  const names = async (selector: string) =>
    (await client().get(`${path}?fieldSelector=${encodeURIComponent(selector)}`))
      .json<{items: Pod[]}>()
      .items.map(({metadata}) => metadata.name);
  t.deepEqual(await names('spec.nodeName=n1,spec.schedulerName=mine,status.phase=Pending'), ['selected']);
  t.deepEqual(await names('spec.host=n1,spec.schedulerName=mine'), ['selected']);
  t.is((await client().get(`${path}?fieldSelector=spec.hostname=x`)).status, 400);
});

test('the Table of pods tells what each is at', async (t) => {
  await made('shown', {readinessGates: [{conditionType: 'example.com/warm'}]});
  await bind('shown');
  const lastState = {terminated: {finishedAt: new Date(Date.now() - 3_600_000 * 4).toISOString(), exitCode: 1}};
  const containerStatuses = [{name: 'main', ready: true, restartCount: 3, state: {running: {}}, lastState, image: 'i', imageID: ''}];
  await client().patch(`${path}/shown/status`, {
    status: {phase: 'Running', podIP: '10.2.0.1', containerStatuses, conditions: [{type: 'example.com/warm', status: 'True'}]},
  });
  const row = async () => (await tableRows(client(), `${path}?labelSelector=app=shown`))[0]!;
  const {Age: _age, ...cells} = await row();
  t.deepEqual(cells, {
    Name: 'shown',
    Ready: '1/1',
    Status: 'Running',
    Restarts: '3 (4h ago)',
    IP: '10.2.0.1',
    Node: 'n1',
    'Nominated Node': '<none>',
    'Readiness Gates': '1/1',
  });
  await client().patch(`${path}/shown/status`, {
    status: {containerStatuses: [{name: 'main', state: {waiting: {reason: 'CrashLoopBackOff'}}}]},
  });
  t.is((await row())['Status'], 'CrashLoopBackOff');
  await client().patch(`${path}/shown/status`, {status: {initContainerStatuses: [{name: 'i', state: {terminated: {exitCode: 2}}}]}});
  t.is((await row())['Status'], 'Init:ExitCode:2');
  await client().delete(`${path}/shown`);
  t.is((await row())['Status'], 'Terminating');
});

test('the row of a pod that has run to its end says so, in a list, by itself and in a watch', async (t) => {
  const headers = {accept: 'application/json;as=Table;v=v1;g=meta.orch'};
  const conditions = async (query: string) =>
    (await client().get(`${path}${query}`, {headers})).json<{rows: {conditions?: object[]}[]}>().rows.map((row) => row.conditions);
  for (const [name, phase] of [
    ['end-running', 'Running'],
    ['end-succeeded', 'Succeeded'],
    ['end-failed', 'Failed'],
  ] as const) {
    await client().post(path, {...pod(name), metadata: {name, labels: {end: 'shown'}}});
    await client().patch(`${path}/${name}/status`, {status: {phase}});
  }
  const succeeded = [{type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.'}];
  const failed = [{type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.'}];
  t.deepEqual(await conditions('?labelSelector=end=shown'), [failed, undefined, succeeded]);
  t.deepEqual(await conditions('/end-failed'), [failed]);
  const watched = await client().get(`${path}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name=end-succeeded`, {headers});
  const event = JSON.parse(watched.body.toString().split('\n')[0]!) as {object: {rows: {conditions?: object[]}[]}};
  t.deepEqual(
    event.object.rows.map((row) => row.conditions),
    [succeeded],
  );
});
