import type {DeclaredAccount, NamingProfile} from '../../../../sdk/index.js';
import type {Subject} from '../rbac-objects.js';
import {since, until, withGate} from '../../../families/rbac/released-rules.js';
import {allow, events, read} from '../../../families/rbac/written-rule.js';
import {laterControllers} from './later-controllers.js';
import type {DefaultRole} from './user-roles.js';

/** Prefix of the names of controllers' roles; the rest is the name of the controller's service account. */
export const controllerPrefix = 'system:controller:';

type Rules = DefaultRole['rules'];

/**
 * A ClusterRole for each controller of Kubernetes' controller manager. With `--use-service-account-credentials`, that program runs each
 * controller under its own service account in the system namespace.
 */
export function controllerRoles({signers}: NamingProfile): DefaultRole[] {
  const rules: Record<string, Rules> = {
    ...storageControllers,
    ...workloadControllers,
    ...networkControllers,
    ...housekeepers,
    'certificate-controller': [
      allow(`${read} delete`, 'certificates.orch', 'certificatesigningrequests'),
      allow('update', 'certificates.orch', 'certificatesigningrequests/approval certificatesigningrequests/status'),
      allow('approve', 'certificates.orch', 'signers', signers['apiserver-client-nodeagent']),
      allow('sign', 'certificates.orch', 'signers', Object.values(signers).toSorted().join(' ')),
      allow('create', 'authorization.orch', 'subjectaccessreviews'),
      events,
    ],
  };
  const always = Object.entries(rules).map(([name, own]) => ({name: `${controllerPrefix}${name}`, rules: own}));
  return [...always, ...laterControllers.map((role) => ({...role, name: `${controllerPrefix}${role.name}`}))];
}

/** A role that a manifest asks for, and who has it. */
export interface DeclaredRole {
  readonly role: DefaultRole;
  readonly subject: Subject;
}

/** A ClusterRole for each account that a plugin declares, except where there are default roles for an account of its name. */
export function declaredRoles(
  accounts: readonly DeclaredAccount[],
  known: ReadonlySet<string>,
  {systemNamespace}: Pick<NamingProfile, 'systemNamespace'>,
): DeclaredRole[] {
  return accounts
    .map(({serviceAccount, plugin, permissions}): DeclaredRole => {
      if (serviceAccount === undefined) {
        const name = `system:plugin:${plugin}`;
        return {role: {name, rules: [...permissions]}, subject: {kind: 'User', name}};
      }
      const role = {name: `${controllerPrefix}${serviceAccount}`, rules: [...permissions, events]};
      return {role, subject: {kind: 'ServiceAccount', name: serviceAccount, namespace: systemNamespace}};
    })
    .filter(({role}) => !known.has(role.name));
}

const storageControllers: Readonly<Record<string, Rules>> = {
  'attachdetach-controller': [
    allow('list watch', 'core', 'persistentvolumeclaims persistentvolumes pods'),
    allow(read, 'core', 'nodes'),
    allow('patch update', 'core', 'nodes/status'),
    allow(`${read} create delete`, 'storage.orch', 'volumeattachments'),
    allow(read, 'storage.orch', 'csidrivers csinodes'),
    events,
  ],
  'ephemeral-volume-controller': [
    allow(read, 'core', 'pods'),
    allow('update', 'core', 'pods/finalizers'),
    allow(`${read} create`, 'core', 'persistentvolumeclaims'),
    events,
  ],
  'expand-controller': [
    allow(`${read} patch update`, 'core', 'persistentvolumes'),
    allow('patch update', 'core', 'persistentvolumeclaims/status'),
    allow(read, 'core', 'persistentvolumeclaims'),
    ...until('1.31', allow(read, 'storage.orch', 'storageclasses'), allow('get', 'core', 'endpoints secrets services')),
    ...since('1.32', ...until('1.35', allow('get', 'core', 'services'))),
    events,
  ],
  'persistent-volume-binder': [
    allow(`${read} create delete update`, 'core', 'persistentvolumes'),
    allow('update', 'core', 'persistentvolumeclaims/status persistentvolumes/status'),
    allow(`${read} update`, 'core', 'persistentvolumeclaims'),
    allow(`${read} create delete`, 'core', 'pods'),
    allow(read, 'storage.orch', 'storageclasses'),
    ...until(
      '1.31',
      allow('create delete get update', 'core', 'endpoints'),
      allow('create delete get', 'core', 'services'),
      allow('get', 'core', 'secrets'),
      allow('get', 'core', 'nodes'),
    ),
    ...since('1.32', ...until('1.35', allow('get', 'core', 'services'))),
    allow('list', 'core', 'nodes'),
    ...since('1.32', allow('watch', 'core', 'nodes')),
    allow('watch', 'core', 'events'),
    events,
  ],
  'pv-protection-controller': [allow(`${read} update`, 'core', 'persistentvolumes'), events],
  'pvc-protection-controller': [
    allow(`${read} update`, 'core', 'persistentvolumeclaims'),
    ...since('1.36', allow('update', 'core', 'persistentvolumeclaims/status')),
    allow(read, 'core', 'pods'),
    events,
  ],
};

const workloadControllers: Readonly<Record<string, Rules>> = {
  'cronjob-controller': [
    allow(`${read} update`, 'batch', 'cronjobs'),
    allow(`${read} create delete patch update`, 'batch', 'jobs'),
    allow('update', 'batch', 'cronjobs/finalizers cronjobs/status'),
    allow('delete list', 'core', 'pods'),
    ...since('1.32', allow('watch', 'core', 'pods')),
    events,
  ],
  'daemon-set-controller': [
    allow(read, 'apps extensions', 'daemonsets'),
    allow('update', 'apps extensions', 'daemonsets/finalizers daemonsets/status'),
    allow('list watch', 'core', 'nodes'),
    allow('create delete list patch watch', 'core', 'pods'),
    allow('create', 'core', 'pods/binding'),
    allow(`${read} create delete patch update`, 'apps', 'controllerrevisions'),
    events,
  ],
  'deployment-controller': [
    allow(`${read} update`, 'apps extensions', 'deployments'),
    allow('update', 'apps extensions', 'deployments/finalizers deployments/status'),
    allow(`${read} create delete patch update`, 'apps extensions', 'replicasets'),
    allow(`${read} update`, 'core', 'pods'),
    events,
  ],
  'disruption-controller': [
    allow(read, 'apps extensions', 'deployments replicasets'),
    allow(read, 'core', 'replicationcontrollers'),
    allow(read, 'policy', 'poddisruptionbudgets'),
    allow(read, 'apps', 'statefulsets'),
    allow('update', 'policy', 'poddisruptionbudgets/status'),
    allow('get', '*', '*/scale'),
    ...withGate('PodDisruptionConditions', allow('patch', 'core', 'pods/status'), ...since('1.27', allow('update', 'core', 'pods/status'))),
    events,
  ],
  'horizontal-pod-autoscaler': [
    allow(read, 'autoscaling', 'horizontalpodautoscalers'),
    allow('update', 'autoscaling', 'horizontalpodautoscalers/status'),
    allow('get update', '*', '*/scale'),
    allow('list', 'core', 'pods'),
    allow('list', 'metrics.orch', 'pods'),
    allow('get list', 'custom.metrics.orch external.metrics.orch', '*'),
    ...since(
      '1.32',
      allow('watch', 'core', 'pods'),
      allow('watch', 'metrics.orch', 'pods'),
      allow('watch', 'custom.metrics.orch external.metrics.orch', '*'),
    ),
    events,
  ],
  'job-controller': [
    allow(`${read} patch update`, 'batch', 'jobs'),
    allow('update', 'batch', 'jobs/finalizers jobs/status'),
    allow('create delete list patch watch', 'core', 'pods'),
    ...withGate('WorkloadWithJob', ...since('1.36', allow(`${read} create`, 'scheduling.orch', 'podgroups workloads'))),
    events,
  ],
  'replicaset-controller': [
    allow(`${read} update`, 'apps extensions', 'replicasets'),
    allow('update', 'apps extensions', 'replicasets/finalizers replicasets/status'),
    allow('create delete list patch watch', 'core', 'pods'),
    events,
  ],
  'replication-controller': [
    allow(`${read} update`, 'core', 'replicationcontrollers'),
    allow('update', 'core', 'replicationcontrollers/finalizers replicationcontrollers/status'),
    allow('create delete list patch watch', 'core', 'pods'),
    events,
  ],
  'statefulset-controller': [
    allow(read, 'apps', 'statefulsets'),
    allow('update', 'apps', 'statefulsets/finalizers statefulsets/status'),
    allow(`${read} create delete patch update`, 'core', 'pods'),
    allow(`${read} create delete patch update`, 'apps', 'controllerrevisions'),
    allow('create get', 'core', 'persistentvolumeclaims'),
    ...since('1.28', allow('list watch', 'core', 'persistentvolumeclaims')),
    ...withGate(
      'StatefulSetAutoDeletePVC',
      allow('delete update', 'core', 'persistentvolumeclaims'),
      ...since('1.28', allow('update', 'core', 'pods/finalizers')),
    ),
    events,
  ],
  'ttl-after-finished-controller': [allow(`${read} delete`, 'batch', 'jobs'), events],
};

const networkControllers: Readonly<Record<string, Rules>> = {
  'endpoint-controller': [
    allow(read, 'core', 'pods services'),
    allow('create delete get list update', 'core', 'endpoints'),
    ...since('1.32', allow('watch', 'core', 'endpoints')),
    allow('create', 'core', 'endpoints/restricted'),
    events,
  ],
  'endpointslice-controller': [
    allow(read, 'core', 'nodes pods services'),
    // Slices are dependents of their service and block its deletion.
    allow('update', 'core', 'services/finalizers'),
    allow('create delete get list update', 'discovery.orch', 'endpointslices'),
    ...since('1.32', allow('watch', 'discovery.orch', 'endpointslices')),
    events,
  ],
  'endpointslicemirroring-controller': [
    allow(read, 'core', 'endpoints services'),
    allow('update', 'core', 'endpoints/finalizers services/finalizers'),
    allow('create delete get list update', 'discovery.orch', 'endpointslices'),
    ...since('1.32', allow('watch', 'discovery.orch', 'endpointslices')),
    events,
  ],
  'route-controller': [allow('list watch', 'core', 'nodes'), allow('patch', 'core', 'nodes/status'), events],
  'service-controller': [
    allow(read, 'core', 'services'),
    allow('patch update', 'core', 'services/status'),
    allow('list watch', 'core', 'nodes'),
    events,
  ],
};

const housekeepers: Readonly<Record<string, Rules>> = {
  // It writes rules that it does not hold itself.
  'clusterrole-aggregation-controller': [allow(`${read} escalate patch update`, 'rbac.authorization.orch', 'clusterroles')],
  'generic-garbage-collector': [allow(`${read} delete patch update`, '*', '*'), events],
  'namespace-controller': [
    allow(`${read} delete`, 'core', 'namespaces'),
    allow('update', 'core', 'namespaces/finalize namespaces/status'),
    allow('delete deletecollection get list', '*', '*'),
    ...since('1.32', allow('watch', '*', '*')),
  ],
  'node-controller': [
    allow('delete get list patch update', 'core', 'nodes'),
    allow('patch update', 'core', 'nodes/status pods/status'),
    allow('delete list', 'core', 'pods'),
    ...withGate('PodDisruptionConditions', allow('get', 'core', 'pods')),
    ...since('1.32', allow('watch', 'core', 'nodes pods')),
    ...until('1.29', allow('create get list update', 'networking.orch', 'clustercidrs')),
    events,
  ],
  'pod-garbage-collector': [
    allow('delete list watch', 'core', 'pods'),
    allow('get list', 'core', 'nodes'),
    ...since('1.32', allow('watch', 'core', 'nodes')),
    ...withGate('PodDisruptionConditions', allow('patch', 'core', 'pods/status')),
  ],
  'resourcequota-controller': [allow('list watch', '*', '*'), allow('update', 'core', 'resourcequotas/status'), events],
  'root-ca-cert-publisher': [allow('create update', 'core', 'configmaps'), events],
  'service-account-controller': [allow('create', 'core', 'serviceaccounts'), events],
  'ttl-controller': [allow('list patch update watch', 'core', 'nodes'), events],
};
