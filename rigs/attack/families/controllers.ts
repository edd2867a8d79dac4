import {family, type Attack} from '../attack.js';
import type {Attacker} from '../client/attacker.js';
import {requestText} from '../client/request-text.js';

const containers = [{name: 'c', image: 'i'}];
const sets = (attacker: Attacker) => attacker.path('statefulsets', 'apps/v1');
const jobs = (attacker: Attacker) => attacker.path('jobs', 'batch/v1');

function statefulSet(name: string, spec: object): object {
  const template = {metadata: {labels: {app: 'x'}}, spec: {containers}};
  return {metadata: {name}, spec: {serviceName: name, selector: {matchLabels: {app: 'x'}}, template, ...spec}};
}

/** A set that asks for too much; what its controller makes of it within the time is looked at. */
const set = (name: string, objects: () => readonly object[], outcomes: Attack['outcomes'] = [201, 422]): Attack => ({
  name,
  outcomes,
  seconds: 5,
  leavesMegabytes: 80,
  async run(attacker) {
    for (const object of objects()) await attacker.call('POST', sets(attacker), {body: JSON.stringify(object)});
    await attacker.hold();
  },
});

const most = 2_147_483_647;
const claims = Array.from({length: 50}, (_, number) => ({
  metadata: {name: `claim-${number}`},
  spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}},
}));

/** Objects for which controllers do the work. */
export const controllers = family('controllers', [
  set('set-of-two-billion', () => [statefulSet('set', {replicas: most})]),
  set('set-of-two-billion-in-parallel', () => [statefulSet('set', {replicas: most, podManagementPolicy: 'Parallel'})]),
  set('set-of-more-than-fit', () => [statefulSet('set', {replicas: 1e15})], [400, 422]),
  set('set-from-the-highest-ordinal', () => [statefulSet('set', {replicas: 10, podManagementPolicy: 'Parallel', ordinals: {start: most}})]),
  set('set-with-a-name-at-the-limit', () => [statefulSet('s'.repeat(253), {replicas: 10}), statefulSet('s'.repeat(63), {replicas: 10})]),
  set('set-of-many-claims', () => [statefulSet('set', {replicas: 500, podManagementPolicy: 'Parallel', volumeClaimTemplates: claims})]),
  set('two-hundred-sets', () =>
    Array.from({length: 200}, (_, number) => statefulSet(`set-${number}`, {replicas: 5, podManagementPolicy: 'Parallel'})),
  ),
  {
    name: 'scaled-up-and-down',
    outcomes: [200],
    seconds: 4,
    leavesMegabytes: 60,
    prepare: (attacker) => attacker.make(sets(attacker), statefulSet('set', {replicas: 0, podManagementPolicy: 'Parallel'})),
    run: (attacker) =>
      attacker.flood({
        connections: 5,
        request: (_, number) =>
          requestText('PATCH', `${sets(attacker)}/set/scale`, {
            type: 'application/merge-patch+json',
            body: `{"spec":{"replicas":${number % 2 ? 0 : most}}}`,
          }),
      }),
  },
  {
    name: 'finished-jobs',
    outcomes: [200],
    seconds: 4,
    leavesMegabytes: 50,
    async run(attacker) {
      const spec = {ttlSecondsAfterFinished: 0, template: {spec: {containers, restartPolicy: 'Never'}}};
      const ended = {
        conditions: [{type: 'Complete', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z'}],
        completionTime: '2020-01-01T00:00:00Z',
      };
      await attacker.repeat(600, 6, async (number) => {
        await attacker.call('POST', jobs(attacker), {body: JSON.stringify({metadata: {name: `job-${number}`}, spec})});
        await attacker.call('PATCH', `${jobs(attacker)}/job-${number}/status`, {
          user: 'builder',
          type: 'application/merge-patch+json',
          body: JSON.stringify({status: ended}),
        });
      });
    },
  },
  {
    name: 'quotas',
    outcomes: [201],
    seconds: 4,
    leavesMegabytes: 50,
    async prepare(attacker) {
      for (let number = 0; number < 200; number++)
        await attacker.make(attacker.path('resourcequotas'), {
          metadata: {name: `quota-${number}`},
          spec: {hard: {'count/configmaps': '1000000', pods: '10', 'count/secrets': '5'}},
        });
    },
    run: (attacker) =>
      attacker.flood({
        connections: 10,
        request: (connection, number) =>
          requestText('POST', attacker.path('configmaps'), {body: `{"metadata":{"name":"q-${connection}-${number}"}}`}),
      }),
  },
]);
