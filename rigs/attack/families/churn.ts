import {family, type Attack} from '../attack.js';
import type {Attacker} from '../client/attacker.js';
import {requestText} from '../client/request-text.js';
import {crowdSize} from '../client/users.js';
import {configMap, configMaps} from './objects.js';

const collection = (attacker: Attacker) => attacker.path('configmaps');
const crowd = (number: number) => `crowd-${number % crowdSize}` as const;

const named = (name: string) => `{"metadata":{"name":"${name}"}}`;

/** Objects made, changed and deleted as fast as the server lets. */
export const churn = family('churn', [
  {
    name: 'create',
    outcomes: [201],
    seconds: 3,
    leavesMegabytes: 40,
    run: (attacker) =>
      attacker.flood({
        connections: 20,
        request: (connection, number) => requestText('POST', collection(attacker), {body: named(`c-${connection}-${number}`)}),
      }),
  },
  {
    name: 'create-and-delete-one-name',
    outcomes: [201, 409],
    seconds: 3,
    leavesMegabytes: 30,
    run: (attacker) =>
      attacker.flood({
        connections: 20,
        request: (_, number) =>
          number % 2
            ? requestText('DELETE', `${collection(attacker)}/same`)
            : requestText('POST', collection(attacker), {body: named('same')}),
      }),
  },
  {
    name: 'generated-names',
    outcomes: [201],
    leavesMegabytes: 30,
    run: (attacker) =>
      attacker.flood({
        connections: 20,
        request: () => requestText('POST', collection(attacker), {body: '{"metadata":{"generateName":"g-"}}'}),
      }),
  },
  {
    name: 'updates-of-one-object',
    outcomes: [200],
    seconds: 3,
    leavesMegabytes: 40,
    prepare: (attacker) => attacker.make(collection(attacker), configMap('same')),
    run: (attacker) =>
      attacker.flood({
        connections: 20,
        request: (connection, number) =>
          requestText('PATCH', `${collection(attacker)}/same`, {
            type: 'application/merge-patch+json',
            body: `{"data":{"k${connection}":"${number}"}}`,
          }),
      }),
  },
  {
    name: 'conflicts',
    outcomes: [409],
    prepare: (attacker) => attacker.make(collection(attacker), configMap('same')),
    run: (attacker) =>
      attacker.flood({
        connections: 20,
        request: () => requestText('PUT', `${collection(attacker)}/same`, {body: '{"metadata":{"name":"same","resourceVersion":"1"}}'}),
      }),
  },
  {
    name: 'events',
    outcomes: [201],
    seconds: 3,
    leavesMegabytes: 40,
    run: (attacker) =>
      attacker.flood({
        user: 'builder',
        connections: 20,
        request: (connection, number) =>
          requestText('POST', attacker.path('events'), {
            body: JSON.stringify({
              metadata: {generateName: 'e-'},
              involvedObject: {kind: 'Pod', name: `p${connection}`, namespace: attacker.namespace},
              reason: `Reason${number}`,
              message: 'm'.repeat(200),
              type: 'Normal',
            }),
          }),
      }),
  },
  {
    name: 'namespaces',
    outcomes: [201],
    seconds: 4,
    leavesMegabytes: 60,
    run: (attacker) =>
      attacker.flood({
        user: 'builder',
        connections: 10,
        request: (connection, number) => {
          const name = `${attacker.namespace}-${connection}-${number >> 1}`;
          return number % 2
            ? requestText('DELETE', `/api/v1/namespaces/${name}`)
            : requestText('POST', '/api/v1/namespaces', {body: named(name)});
        },
      }),
  },
  {
    name: 'leases',
    outcomes: [200],
    prepare: (attacker) =>
      attacker.make(attacker.path('leases', 'coordination.orch/v1'), {metadata: {name: 'lease'}, spec: {holderIdentity: 'a'}}),
    run: (attacker) =>
      attacker.flood({
        user: 'builder',
        connections: 20,
        request: (connection, number) =>
          requestText('PATCH', `${attacker.path('leases', 'coordination.orch/v1')}/lease`, {
            type: 'application/merge-patch+json',
            body: `{"spec":{"holderIdentity":"${connection}-${number}"}}`,
          }),
      }),
  },
  {
    name: 'delete-collection',
    outcomes: [200],
    seconds: 4,
    leavesMegabytes: 40,
    prepare: (attacker) => attacker.makeAll(collection(attacker), configMaps(600, 100)),
    run: (attacker) => attacker.repeat(4, 4, () => attacker.call('DELETE', collection(attacker))),
  },
  {
    name: 'delete-collection-of-held-objects',
    outcomes: [200],
    seconds: 4,
    leavesMegabytes: 60,
    prepare: (attacker) =>
      attacker.makeAll(
        collection(attacker),
        Array.from({length: 600}, (_, number) => configMap(`h-${number}`, 100, {finalizers: ['a.example/hold']})),
      ),
    run: (attacker) => attacker.repeat(6, 2, () => attacker.call('DELETE', collection(attacker))),
  },
  {
    name: 'namespace-of-many-objects',
    outcomes: [200],
    seconds: 4,
    leavesMegabytes: 40,
    prepare: (attacker) => attacker.makeAll(collection(attacker), configMaps(600, 100)),
    run: async (attacker) => {
      await attacker.call('DELETE', `/api/v1/namespaces/${attacker.namespace}`, {user: 'builder'});
      await attacker.hold();
    },
  },
  {
    name: 'service-addresses',
    outcomes: [201],
    seconds: 3,
    leavesMegabytes: 40,
    run: (attacker) =>
      attacker.flood({
        connections: 10,
        request: (connection, number) =>
          requestText('POST', attacker.path('services'), {
            body: `{"metadata":{"name":"s-${connection}-${number}"},"spec":{"ports":[{"port":80}],"type":"NodePort"}}`,
          }),
      }),
  },
  {
    name: 'owner-references',
    outcomes: [201, 422, 409],
    leavesMegabytes: 30,
    run: (attacker) =>
      attacker.flood({
        connections: 10,
        request: (connection, number) =>
          requestText('POST', collection(attacker), {
            body: JSON.stringify({
              metadata: {
                name: `o-${connection}-${number}`,
                ownerReferences: Array.from({length: 20}, (_, owner) => ({
                  apiVersion: 'v1',
                  kind: 'ConfigMap',
                  name: `o-${owner}`,
                  uid: `u-${owner}`,
                })),
              },
            }),
          }),
      }),
  },
  {
    name: 'dry-runs',
    outcomes: [201],
    run: (attacker) =>
      attacker.flood({connections: 20, request: () => requestText('POST', `${collection(attacker)}?dryRun=All`, {body: named('dry')})}),
  },
]);

/** Ordinary requests, far too many of them. */
const rush = (name: string, attack: Omit<Attack, 'name' | 'outcomes'> & Partial<Pick<Attack, 'outcomes'>>): Attack => ({
  name,
  outcomes: [200],
  seconds: 3,
  ...attack,
});
const get = (path: string, ...headers: string[]) => requestText('GET', path, {headers});
const filled = (attacker: Attacker) => attacker.makeAll(collection(attacker), configMaps(40, 50_000));
const manyFilled = (attacker: Attacker) => attacker.makeAll(collection(attacker), configMaps(2000, 300));

export const crowds = family('crowds', [
  rush('20-clients-of-one-user', {
    prepare: (attacker) => attacker.make(collection(attacker), configMap('one')),
    run: (attacker) => attacker.flood({connections: 20, request: () => get(`${collection(attacker)}/one`)}),
  }),
  rush('200-clients-of-one-user', {
    prepare: (attacker) => attacker.make(collection(attacker), configMap('one')),
    run: (attacker) => attacker.flood({connections: 200, request: () => get(`${collection(attacker)}/one`)}),
  }),
  rush('40-users', {
    prepare: (attacker) => attacker.make(collection(attacker), configMap('one')),
    run: (attacker) => attacker.flood({user: crowd, connections: 160, request: () => get(`${collection(attacker)}/one`)}),
  }),
  rush('200-anonymous', {run: (attacker) => attacker.flood({user: 'anonymous', connections: 200, request: () => get('/readyz')})}),
  rush('200-anonymous-refused', {
    outcomes: [403],
    run: (attacker) => attacker.flood({user: 'anonymous', connections: 200, request: () => get('/api/v1/secrets')}),
  }),
  rush('large-lists', {
    prepare: filled,
    run: (attacker) => attacker.flood({connections: 50, request: () => get(collection(attacker))}),
  }),
  rush('large-lists-of-40-users', {
    prepare: filled,
    run: (attacker) => attacker.flood({user: crowd, connections: 120, request: () => get(collection(attacker))}),
  }),
  rush('large-lists-as-yaml', {
    prepare: filled,
    run: (attacker) => attacker.flood({user: crowd, connections: 40, request: () => get(collection(attacker), 'Accept: application/yaml')}),
  }),
  rush('large-lists-compressed', {
    prepare: filled,
    run: (attacker) => attacker.flood({user: crowd, connections: 40, request: () => get(collection(attacker), 'Accept-Encoding: gzip')}),
  }),
  rush('long-lists', {
    prepare: manyFilled,
    leavesMegabytes: 20,
    run: (attacker) => attacker.flood({user: crowd, connections: 60, request: () => get(collection(attacker))}),
  }),
  rush('long-tables', {
    prepare: manyFilled,
    leavesMegabytes: 20,
    run: (attacker) =>
      attacker.flood({
        user: crowd,
        connections: 40,
        request: () => get(collection(attacker), 'Accept: application/json;as=Table;g=meta.orch;v=v1'),
      }),
  }),
  rush('selective-lists', {
    prepare: manyFilled,
    leavesMegabytes: 20,
    run: (attacker) =>
      attacker.flood({
        user: crowd,
        connections: 60,
        request: (connection, number) => get(`${collection(attacker)}?labelSelector=a${connection}!%3D${number},!b`),
      }),
  }),
  rush('documents', {run: (attacker) => attacker.flood({user: crowd, connections: 40, request: () => get('/openapi/v2')})}),
  rush('documents-of-groups', {
    run: (attacker) =>
      attacker.flood({
        user: crowd,
        connections: 40,
        request: (connection) => get(`/openapi/v3/${['api/v1', 'apis/apps/v1', 'apis/batch/v1'][connection % 3]}`),
      }),
  }),
  rush('discovery', {
    run: (attacker) =>
      attacker.flood({
        user: crowd,
        connections: 80,
        request: () => get('/apis', 'Accept: application/json;as=APIGroupDiscoveryList;g=apidiscovery.orch;v=v2beta1'),
      }),
  }),
  rush('writes-of-40-users', {
    outcomes: [201],
    leavesMegabytes: 40,
    run: (attacker) =>
      attacker.flood({
        user: crowd,
        connections: 120,
        request: (connection, number) => requestText('POST', collection(attacker), {body: named(`w-${connection}-${number}`)}),
      }),
  }),
  rush('large-writes', {
    outcomes: [200],
    leavesMegabytes: 64,
    prepare: (attacker) => attacker.make(collection(attacker), configMap('one')),
    run: (attacker) =>
      attacker.flood({
        user: crowd,
        connections: 40,
        request: (connection, number) =>
          requestText('PUT', `${collection(attacker)}/one`, {
            body: `{"metadata":{"name":"one"},"data":{"a":"${connection}-${number}-${'x'.repeat(400_000)}"}}`,
          }),
      }),
  }),
  rush('large-dry-runs', {
    outcomes: [201],
    run: (attacker) =>
      attacker.flood({
        user: crowd,
        connections: 40,
        request: () =>
          requestText('POST', `${collection(attacker)}?dryRun=All`, {
            body: `{"metadata":{"name":"one"},"data":{${Array.from({length: 2000}, (_, key) => `"k${key}":"v"`).join(',')}}}`,
          }),
      }),
  }),
  rush('consistent-lists-of-nothing', {
    run: (attacker) => attacker.flood({user: crowd, connections: 200, request: () => get(attacker.path('secrets'))}),
  }),
]);
