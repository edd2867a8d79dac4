import type {NamingProfile} from '../../../../sdk/index.js';
import type {Subject} from '../rbac-objects.js';
import {controllerPrefix} from './controller-roles.js';
import {since, until, type Released} from '../../../families/rbac/released-rules.js';
import {allow, events, read} from '../../../families/rbac/written-rule.js';
import type {DefaultRole} from './user-roles.js';

/** A default Role in the neutral form, and its binding. */
export interface NamespaceRole extends DefaultRole {
  readonly namespace: string;
  readonly boundTo: readonly (Subject & Released)[];
  /** The name of the binding; by default that of the role. */
  readonly binding?: string;
}

const user = (name: string): Subject => ({kind: 'User', name});

/** Roles for the platform's components in the system and public namespaces. */
export function namespaceRoles({systemNamespace, publicNamespace}: NamingProfile): NamespaceRole[] {
  const account = (name: string): Subject => ({kind: 'ServiceAccount', name, namespace: systemNamespace});
  const ofController = (name: string, namespace: string, rules: DefaultRole['rules']): NamespaceRole => ({
    name: `${controllerPrefix}${name}`,
    namespace,
    rules,
    boundTo: [account(name)],
  });
  /** For components that elect their leader with a ConfigMap, or in agreement with others. */
  const leaderLocking = (component: string, ...others: NamespaceRole['boundTo']): NamespaceRole => ({
    name: `system::leader-locking-${component}`,
    namespace: systemNamespace,
    rules: [
      ...until('1.34', allow('watch', 'core', 'configmaps'), allow('get update', 'core', 'configmaps', component)),
      ...since('1.31', allow(`${read} create update`, 'coordination.orch', 'leasecandidates leases')),
    ],
    boundTo: [user(`system:${component}`), account(component), ...others],
  });
  const reader = 'extension-apiserver-authentication-reader';
  return [
    {
      name: reader,
      namespace: systemNamespace,
      rules: [allow(read, 'core', 'configmaps', 'extension-apiserver-authentication')],
      binding: `system::${reader}`,
      boundTo: [user('system:kube-controller-manager'), user('system:kube-scheduler')],
    },
    leaderLocking('kube-controller-manager', {...account('leader-election-controller'), since: '1.31'}),
    leaderLocking('kube-scheduler'),
    ofController('bootstrap-signer', systemNamespace, [allow(read, 'core', 'secrets')]),
    ofController('cloud-provider', systemNamespace, [allow(`${read} create`, 'core', 'configmaps')]),
    ofController('token-cleaner', systemNamespace, [allow(`${read} delete`, 'core', 'secrets'), events]),
    ofController('bootstrap-signer', publicNamespace, [
      allow(read, 'core', 'configmaps'),
      allow('update', 'core', 'configmaps', 'cluster-info'),
      // With --cluster-info-server it makes what a cluster's installer makes elsewhere.
      allow('create', 'core', 'configmaps'),
      events,
    ]),
  ];
}
