import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';

const group = '/apis/authentication.k8s.io';

interface Served {
  readonly release: string;
  readonly byDefault: readonly string[];
  readonly withAll: readonly string[];
  readonly gates?: readonly string[];
}

const table: readonly Served[] = [
  {release: '1.26', byDefault: [], withAll: []},
  {release: '1.26', byDefault: [], withAll: ['v1alpha1'], gates: ['APISelfSubjectReview']},
  {release: '1.27', byDefault: [], withAll: ['v1beta1', 'v1alpha1']},
  {release: '1.28', byDefault: ['v1'], withAll: ['v1', 'v1beta1', 'v1alpha1']},
  {release: '1.31', byDefault: ['v1'], withAll: ['v1', 'v1beta1', 'v1alpha1']},
  {release: '1.32', byDefault: ['v1'], withAll: ['v1', 'v1beta1']},
  {release: '1.33', byDefault: ['v1'], withAll: ['v1']},
  {release: '1.36', byDefault: ['v1'], withAll: ['v1']},
];

for (const {release, byDefault, withAll, gates = []} of table) {
  test.serial(
    `SelfSubjectReview is served in [${byDefault.join(', ')}] at release ${release}${gates.map((gate) => ` with ${gate}`).join('')}, with all APIs on in [${withAll.join(', ')}], and answers who asks`,
    async (t) => {
      for (const [runtimeConfig, versions] of [
        [{}, byDefault],
        [{'api/all': true}, withAll],
      ] as const) {
        await using server = await startTestServer({
          platform: 'kubernetes',
          release,
          runtimeConfig,
          featureGates: Object.fromEntries(gates.map((gate) => [gate, true])),
        });
        for (const version of ['v1', 'v1beta1', 'v1alpha1']) {
          const apiVersion = `authentication.k8s.io/${version}`;
          const answer = await server.client.post(`${group}/${version}/selfsubjectreviews`, {apiVersion, kind: 'SelfSubjectReview'});
          if (!versions.includes(version)) {
            t.is(answer.status, 404, version);
            continue;
          }
          t.is(answer.status, 201, answer.body.toString());
          t.like(answer.json<object>(), {apiVersion, kind: 'SelfSubjectReview'});
          const {status} = answer.json<{status: {userInfo: {username: string; groups: string[]}}}>();
          t.true(status.userInfo.groups.includes('system:masters'));
        }
      }
    },
  );
}
