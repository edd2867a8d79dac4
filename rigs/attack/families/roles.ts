import {family, type Attack} from '../attack.js';
import type {Attacker} from '../client/attacker.js';
import {bodyAttack} from './body-attack.js';

const groupVersion = 'rbac.authorization.orch/v1';
const roles = (attacker: Attacker) => attacker.path('roles', groupVersion);
const clusterRoles = `/apis/${groupVersion}/clusterroles`;
const refused: Attack['outcomes'] = [403, 413, 422];

const names = (prefix: string, count: number) => Array.from({length: count}, (_, number) => `${prefix}${number}`);

/** One rule whose parts multiply to count³ rights. */
function rule(count: number): object {
  return {verbs: names('v', count), apiGroups: names('g', count), resources: names('r', count)};
}

/** Rules that a namespace admin may give, over and over. */
const ownRules = (count: number) =>
  Array.from({length: count}, (_, number) => ({
    verbs: ['get', 'list'],
    apiGroups: [''],
    resources: ['configmaps', 'secrets'],
    resourceNames: [`n${number}`],
  }));

const role = (rules: readonly object[], name = 'large', more: object = {}) => JSON.stringify({metadata: {name}, rules, ...more});

async function bindMany(attacker: Attacker, count: number): Promise<void> {
  const path = attacker.path('rolebindings', groupVersion);
  const apiGroup = 'rbac.authorization.orch';
  function* bindings() {
    for (let number = 0; number < count; number++) {
      yield {
        metadata: {name: `binding-${number}`},
        roleRef: {apiGroup, kind: 'Role', name: `absent-${number}`},
        subjects: [{apiGroup, kind: 'User', name: 'tenant'}],
      };
    }
  }
  await attacker.makeAll(path, bindings());
}

/** Who may grant a path has to be allowed it, and the other way round: tried with stars of all kinds. */
const starsInPaths: Attack = {
  name: 'stars-in-paths',
  outcomes: [201],
  async prepare(attacker) {
    const name = `stars-${attacker.namespace}`;
    const apiGroup = 'rbac.authorization.orch';
    const rules = [
      {verbs: ['get'], nonResourceURLs: [`/${name}/**`]},
      {verbs: ['create'], apiGroups: [apiGroup], resources: ['clusterroles']},
    ];
    await attacker.make(clusterRoles, {metadata: {name}, rules});
    await attacker.make(`/apis/${groupVersion}/clusterrolebindings`, {
      metadata: {name},
      roleRef: {apiGroup, kind: 'ClusterRole', name},
      subjects: [{apiGroup, kind: 'User', name: 'tenant'}],
    });
  },
  async run(attacker) {
    const name = `stars-${attacker.namespace}`;
    const paths = [
      `/${name}/`,
      `/${name}/x`,
      `/${name}/*`,
      `/${name}/**`,
      `/${name}/x/y`,
      `/${name}`,
      `/${name}*`,
      `/${name}**`,
      '/**',
      '*',
    ];
    await attacker.repeat(paths.length, 1, async (number) => {
      const nonResourceURLs = [paths[number]!];
      const granted = await attacker.call('POST', clusterRoles, {
        body: JSON.stringify({metadata: {generateName: `${name}-`}, rules: [{verbs: ['get'], nonResourceURLs}]}),
      });
      const read = await attacker.call('GET', paths[number]!.startsWith('/') ? paths[number]! : `/${paths[number]}`);
      if ((granted?.status === 201) !== (read?.status === 404))
        attacker.tally.fault(`to grant ${paths[number]} was answered ${granted?.status}, to read it ${read?.status}`);
    });
  },
};

export const rbac = family('roles', [
  starsInPaths,
  ...[120, 400].flatMap((count) => [
    bodyAttack({name: `create-${count}-cubed`, path: roles, body: () => role([rule(count)]), outcomes: refused}),
    bodyAttack({
      name: `dry-run-${count}-cubed`,
      path: (attacker) => `${roles(attacker)}?dryRun=All`,
      body: () => role([rule(count)]),
      outcomes: refused,
    }),
    bodyAttack({
      name: `update-${count}-cubed`,
      method: 'PUT',
      path: (attacker) => `${roles(attacker)}/large`,
      prepare: (attacker) => attacker.make(roles(attacker), {metadata: {name: 'large'}, rules: []}),
      body: () => role([rule(count)]),
      outcomes: refused,
    }),
    bodyAttack({
      name: `patch-${count}-cubed`,
      method: 'PATCH',
      type: 'application/merge-patch+json',
      path: (attacker) => `${roles(attacker)}/large`,
      prepare: (attacker) => attacker.make(roles(attacker), {metadata: {name: 'large'}, rules: []}),
      body: () => JSON.stringify({rules: [rule(count)]}),
      outcomes: refused,
    }),
    bodyAttack({
      name: `apply-${count}-cubed`,
      method: 'PATCH',
      type: 'application/apply-patch+yaml',
      path: (attacker) => `${roles(attacker)}/large?fieldManager=attacker`,
      body: () => role([rule(count)], 'large', {apiVersion: groupVersion, kind: 'Role'}),
      outcomes: refused,
    }),
    bodyAttack({
      name: `bind-${count}-cubed`,
      path: (attacker) => attacker.path('rolebindings', groupVersion),
      prepare: (attacker) => attacker.make(roles(attacker), {metadata: {name: 'large'}, rules: [rule(count)]}).catch(() => undefined),
      body: () =>
        JSON.stringify({
          metadata: {generateName: 'to-large-'},
          roleRef: {apiGroup: 'rbac.authorization.orch', kind: 'Role', name: 'large'},
          subjects: [{apiGroup: 'rbac.authorization.orch', kind: 'User', name: 'tenant'}],
        }),
      outcomes: [403, 404],
    }),
  ]),
  bodyAttack({
    name: 'aggregated-400-cubed',
    user: 'builder',
    path: () => clusterRoles,
    body: (attacker) =>
      role([rule(400)], `aggregated-${attacker.namespace}`, {aggregationRule: {clusterRoleSelectors: [{matchLabels: {a: 'b'}}]}}),
    outcomes: [201, 403, 409, 413, 422],
  }),
  bodyAttack({
    name: 'aggregation-labels',
    path: () => clusterRoles,
    user: 'builder',
    outcomes: [201, 403, 409, 413],
    body: () =>
      role([], 'aggregated-by-labels', {
        aggregationRule: {clusterRoleSelectors: [{matchLabels: Object.fromEntries(names('k', 28_000).map((name) => [name, 'v']))}]},
      }),
  }),
  bodyAttack({
    name: 'aggregation-selectors',
    user: 'builder',
    path: () => clusterRoles,
    body: (attacker) =>
      role([], `aggregating-${attacker.namespace}`, {
        aggregationRule: {clusterRoleSelectors: Array.from({length: 20_000}, (_, number) => ({matchLabels: {a: `b${number}`}}))},
      }),
    outcomes: [201, 403, 409, 413, 422],
  }),
  bodyAttack({
    name: 'many-rules',
    path: roles,
    body: () => role(ownRules(12_000)),
    outcomes: [201, 403, 409, 413, 422],
    leavesMegabytes: 3,
  }),
  bodyAttack({
    name: 'many-rules-not-held',
    path: roles,
    body: () => role(Array.from({length: 20_000}, (_, number) => rule(1 + (number % 2)))),
    outcomes: refused,
  }),
  bodyAttack({
    name: 'many-names',
    path: roles,
    body: () => role([{verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: names('n', 200_000)}]),
    outcomes: [201, 403, 413, 422],
    leavesMegabytes: 3,
  }),
  bodyAttack({
    name: 'stars-and-names',
    path: roles,
    body: () => role([{verbs: ['*'], apiGroups: ['*'], resources: ['*', ...names('r', 5_000)], resourceNames: names('n', 5_000)}]),
    outcomes: refused,
  }),
  bodyAttack({
    name: 'long-parts',
    path: roles,
    body: () => role([{verbs: ['v'.repeat(1_000_000)], apiGroups: ['g'.repeat(900_000)], resources: ['r'.repeat(900_000)]}]),
    outcomes: refused,
  }),
  bodyAttack({
    name: 'urls',
    user: 'builder',
    path: () => `${clusterRoles}?dryRun=All`,
    body: () => role([{verbs: names('v', 500), nonResourceURLs: names('/u', 50_000)}]),
    outcomes: [201, 403, 413, 422],
  }),
  {
    name: 'one-user-with-1000-bindings',
    outcomes: [200],
    prepare: (attacker) => bindMany(attacker, 1000),
    async run(attacker) {
      await attacker.repeat(300, 4, () => attacker.call('GET', attacker.path('configmaps')));
    },
  },
  {
    name: 'rules-review-with-1000-bindings',
    outcomes: [201],
    prepare: (attacker) => bindMany(attacker, 1000),
    async run(attacker) {
      const body = JSON.stringify({spec: {namespace: attacker.namespace}});
      await attacker.repeat(100, 4, () => attacker.call('POST', '/apis/authorization.orch/v1/selfsubjectrulesreviews', {body}));
    },
  },
  {
    name: 'rules-review-of-many-rules',
    outcomes: [201],
    prepare: async (attacker) => {
      for (let number = 0; number < 4; number++) {
        const apiGroup = 'rbac.authorization.orch';
        await attacker.make(roles(attacker), {metadata: {name: `many-${number}`}, rules: ownRules(2_000)});
        await attacker.make(attacker.path('rolebindings', groupVersion), {
          metadata: {name: `many-${number}`},
          roleRef: {apiGroup, kind: 'Role', name: `many-${number}`},
          subjects: [{apiGroup, kind: 'User', name: 'tenant'}],
        });
      }
    },
    async run(attacker) {
      const body = JSON.stringify({spec: {namespace: attacker.namespace}});
      await attacker.repeat(40, 4, () => attacker.call('POST', '/apis/authorization.orch/v1/selfsubjectrulesreviews', {body}));
    },
  },
]);
