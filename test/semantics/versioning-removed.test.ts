import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {answer, assertFailure, warningsOf} from './answers.js';
import {groupVersions, resourcesOf} from './versioning-fixture.js';

let server: TestServer;
test.before(async () => {
  // Whatever can be turned on is on: what is missing here was removed.
  server = await startTestServer({runtimeConfig: {'api/all': true}});
});
test.after.always(() => server?.stop());

interface Removal {
  readonly removed: string;
  readonly instead: string;
  readonly kinds: Readonly<Record<string, string>>;
}

/** The rows for the releases up to 1.26 of docs/semantics/deprecation.md#removed-versions that have a successor. */
const removals: readonly Removal[] = [
  {
    removed: 'flowcontrol.apiserver.orch/v1beta1',
    instead: 'flowcontrol.apiserver.orch/v1beta3',
    kinds: {flowschemas: 'FlowSchema', prioritylevelconfigurations: 'PriorityLevelConfiguration'},
  },
  {removed: 'autoscaling/v2beta2', instead: 'autoscaling/v2', kinds: {horizontalpodautoscalers: 'HorizontalPodAutoscaler'}},
  {removed: 'autoscaling/v2beta1', instead: 'autoscaling/v2', kinds: {horizontalpodautoscalers: 'HorizontalPodAutoscaler'}},
  {removed: 'batch/v1beta1', instead: 'batch/v1', kinds: {cronjobs: 'CronJob'}},
  {removed: 'discovery.orch/v1beta1', instead: 'discovery.orch/v1', kinds: {endpointslices: 'EndpointSlice'}},
  {removed: 'events.orch/v1beta1', instead: 'events.orch/v1', kinds: {events: 'Event'}},
  {removed: 'policy/v1beta1', instead: 'policy/v1', kinds: {poddisruptionbudgets: 'PodDisruptionBudget'}},
  {removed: 'node.orch/v1beta1', instead: 'node.orch/v1', kinds: {runtimeclasses: 'RuntimeClass'}},
  {
    removed: 'admissionregistration.orch/v1beta1',
    instead: 'admissionregistration.orch/v1',
    kinds: {
      mutatingwebhookconfigurations: 'MutatingWebhookConfiguration',
      validatingwebhookconfigurations: 'ValidatingWebhookConfiguration',
    },
  },
  {removed: 'apiextensions.orch/v1beta1', instead: 'apiextensions.orch/v1', kinds: {customresourcedefinitions: 'CustomResourceDefinition'}},
];

for (const {removed, instead, kinds} of removals) {
  const claims = removed.startsWith('flowcontrol') ? '[B-REM-4] ' : removed.startsWith('apiextensions') ? '[B-REM-22] ' : '';
  test(`${claims}${removed} is not served, and cannot be turned on; ${instead} is served, its preferred version`, async (t) => {
    const {client} = server;
    const listed = await groupVersions(client);
    t.false(listed.includes(removed));
    t.is((await client.get(`/apis/${removed}`)).status, 404);
    const group = instead.slice(0, instead.indexOf('/'));
    t.is(
      answer<{preferredVersion: {groupVersion: string}}>(t, await client.get(`/apis/${group}`), 200).preferredVersion.groupVersion,
      instead,
    );
    const served = await resourcesOf(client, `/apis/${instead}`);
    for (const [plural, kind] of Object.entries(kinds)) {
      for (const method of ['GET', 'POST'])
        t.is((await client.request(method, `/apis/${removed}/${plural}`, method === 'POST' ? {body: {}} : {})).status, 404);
      t.is(served.find(({name}) => name === plural)?.kind, kind);
      const current = await client.get(`/apis/${instead}/${plural}`);
      t.is(answer<{kind: string}>(t, current, 200).kind, `${kind}List`);
      t.deepEqual(warningsOf(current), []);
    }
  });
}

test('[B-REM-4] an object of the removed flowcontrol version is refused by the version that replaces it', async (t) => {
  const body = {
    apiVersion: 'flowcontrol.apiserver.orch/v1beta1',
    kind: 'FlowSchema',
    metadata: {name: 'old'},
    spec: {priorityLevelConfiguration: {name: 'exempt'}},
  };
  assertFailure(t, await server.client.post('/apis/flowcontrol.apiserver.orch/v1beta3/flowschemas', body), 400, 'BadRequest', /v1beta1/);
});

test('[B-REM-18] there are no pod security policies in any version, and no admission controller of that name', async (t) => {
  const {client} = server;
  for (const groupVersion of await groupVersions(client)) {
    t.false(
      (await resourcesOf(client, `/apis/${groupVersion}`)).some(
        ({name, kind}) => name.startsWith('podsecuritypolicies') || kind === 'PodSecurityPolicy',
      ),
      groupVersion,
    );
  }
  for (const groupVersion of ['policy/v1', 'policy/v1beta1', 'extensions/v1beta1']) {
    t.is((await client.get(`/apis/${groupVersion}/podsecuritypolicies`)).status, 404);
  }
  await t.throwsAsync(() => startTestServer({enableAdmissionPlugins: ['PodSecurityPolicy']}), {message: /PodSecurityPolicy/});
});
