import test from 'ava';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {platformGates} from '../../../../core/api/gates/platform-gates.js';
import {kubernetes} from '../../../../core/api/naming/kubernetes.js';
import {defaultObjects} from '../../../../plugins/authorizers/rbac/defaults/default-objects.js';
import type {PolicyRule} from '../../../../plugins/families/rbac/policy-rule.js';
import {projectRoot} from '../../../helpers/project-root.js';

/** The verbs of a role by what they are for: `RESOURCE.GROUP NAME` or a path. */
type Rights = Readonly<Record<string, string>>;

function rolesOf(release: string, on: readonly string[] = []): Map<string, Rights> {
  const gates = platformGates(release, kubernetes.featureGates);
  const enabled = (name: string) => on.includes(name) || gates.get(name)!.enabled;
  const {roles} = defaultObjects(kubernetes, {release, gates: {enabled}});
  return new Map(roles.filter(({namespace}) => namespace === '').map(({object}) => [object.metadata.name!, rightsOf(object.rules ?? [])]));
}

function rightsOf(rules: readonly PolicyRule[]): Rights {
  const rights = new Map<string, Set<string>>();
  const add = (what: string, verbs: PolicyRule['verbs']) => rights.set(what, new Set([...(rights.get(what) ?? []), ...(verbs ?? [])]));
  for (const {verbs, apiGroups, resources, resourceNames, nonResourceURLs} of rules) {
    for (const path of nonResourceURLs ?? []) add(path, verbs);
    for (const group of apiGroups ?? [])
      for (const resource of resources ?? [])
        for (const name of resourceNames ?? ['']) add(`${resource}${group && `.${group}`}${name && ` ${name}`}`, verbs);
  }
  return Object.fromEntries([...rights].map(([what, verbs]) => [what, [...verbs].toSorted().join(' ')]));
}

/** Recorded from a kube-apiserver 1.36 with its default feature gates, without the roles that are made of others. */
const recorded = JSON.parse(readFileSync(join(projectRoot(), 'test/plugins/authorizers/rbac/default-roles-1.36.json'), 'utf8')) as Readonly<
  Record<string, Rights>
>;

test('the default cluster roles of 1.36 are those of kube-apiserver 1.36', (t) => {
  const roles = rolesOf('1.36');
  const aggregated = ['admin', 'edit', 'view'];
  t.deepEqual([...roles.keys()].filter((name) => !aggregated.includes(name)).toSorted(), Object.keys(recorded).toSorted());
  for (const [name, rights] of Object.entries(recorded)) t.deepEqual(roles.get(name), rights, name);
});

const steps: readonly (readonly [role: string, right: string, verb: string, last: string, next: string, gained: boolean])[] = [
  ['system:kubelet-api-admin', 'nodes/spec', '*', '1.26', '1.27', false],
  ['system:kube-scheduler', 'endpoints', 'create', '1.27', '1.28', false],
  ['system:controller:statefulset-controller', 'persistentvolumeclaims', 'watch', '1.27', '1.28', true],
  ['system:controller:legacy-service-account-token-cleaner', 'secrets', 'delete', '1.28', '1.29', true],
  [
    'system:controller:validatingadmissionpolicy-status-controller',
    'validatingadmissionpolicies.admissionregistration.k8s.io',
    'watch',
    '1.29',
    '1.30',
    true,
  ],
  ['system:kube-scheduler', 'leasecandidates.coordination.k8s.io', 'create', '1.30', '1.31', true],
  ['system:controller:cronjob-controller', 'pods', 'watch', '1.31', '1.32', true],
  ['system:controller:expand-controller', 'secrets', 'get', '1.31', '1.32', false],
  ['system:controller:service-cidrs-controller', 'servicecidrs.networking.k8s.io', 'watch', '1.32', '1.33', true],
  ['system:monitoring', 'nodes/metrics', 'get', '1.33', '1.34', true],
  ['edit', 'events.events.k8s.io', 'create', '1.34', '1.35', true],
  ['system:monitoring', '/statusz', 'get', '1.35', '1.36', true],
];
for (const [role, right, verb, last, next, gained] of steps)
  test(`${role} ${gained ? 'may' : 'may no longer'} ${verb} ${right} from ${next} on`, (t) => {
    const may = (release: string) => rolesOf(release).get(role)?.[right]?.split(' ').includes(verb) ?? false;
    t.is(may(last), !gained);
    t.is(may(next), gained);
  });

test('feature gates bring roles of their own', (t) => {
  const trust = 'system:cluster-trust-bundle-discovery';
  t.false(rolesOf('1.33').has(trust));
  t.deepEqual(rolesOf('1.33', ['ClusterTrustBundle']).get(trust), {'clustertrustbundles.certificates.k8s.io': 'get list watch'});
  t.true(rolesOf('1.36', ['GenericWorkload']).has('system:controller:podgroup-protection-controller'));
});
