import {nodeRules} from '../../../families/rbac/node-rules.js';
import {since, until, withGate, type ReleasedRule} from '../../../families/rbac/released-rules.js';
import {allow, events, read, write} from '../../../families/rbac/written-rule.js';
import type {DefaultRole} from './user-roles.js';

const reviews = [allow('create', 'authentication.orch', 'tokenreviews'), allow('create', 'authorization.orch', 'subjectaccessreviews')];

/** Leader election by the component's Lease, or by its Endpoints in older releases of it. */
const leaderElection = (name: string) => [
  allow('create', 'coordination.orch', 'leases'),
  allow('get update', 'coordination.orch', 'leases', name),
  ...until('1.27', allow('create', 'core', 'endpoints'), allow('get update', 'core', 'endpoints', name)),
];

/** What a scheduler needs to allocate devices. Until 1.31 a claim could be negotiated with its driver. */
const devices: readonly ReleasedRule[] = [
  ...withGate(
    'DynamicResourceAllocation',
    allow(read, 'resource.orch', 'resourceclaims'),
    allow(`${read} patch update`, 'resource.orch', 'resourceclaims/status'),
    ...until('1.26', allow(read, 'resource.orch', 'podschedulings/status'), allow(`${read} ${write}`, 'resource.orch', 'podschedulings')),
    ...since(
      '1.27',
      ...until(
        '1.31',
        allow(read, 'resource.orch', 'podschedulingcontexts/status'),
        allow(`${read} ${write}`, 'resource.orch', 'podschedulingcontexts'),
      ),
    ),
    ...since('1.29', allow('update', 'core', 'pods/finalizers')),
    ...since('1.29', ...until('1.33', allow(`${read} patch`, 'core', 'pods/finalizers'))),
    ...until('1.30', allow(read, 'resource.orch', 'resourceclasses')),
    ...since('1.30', allow('patch update', 'resource.orch', 'resourceclaims'), allow(read, 'resource.orch', 'resourceslices')),
    ...since('1.30', ...until('1.30', allow(read, 'resource.orch', 'resourceclaimparameters resourceclassparameters'))),
    ...since('1.31', allow(read, 'resource.orch', 'deviceclasses')),
    ...since('1.33', ...until('1.33', allow(read, 'resource.orch', 'devicetaintrules'))),
  ),
  ...withGate('DRADeviceTaints', ...since('1.34', ...until('1.34', allow(read, 'resource.orch', 'devicetaintrules')))),
  ...withGate('DRADeviceTaintRules', ...since('1.35', allow(read, 'resource.orch', 'devicetaintrules'))),
  ...withGate('DRAExtendedResource', ...since('1.34', allow('create delete', 'resource.orch', 'resourceclaims'))),
  ...withGate('DRAResourceClaimGranularStatusAuthorization', allow('patch update', 'resource.orch', 'resourceclaims/binding')),
];

/** ClusterRoles for programs around the API server: nodes, schedulers, controllers, provisioners. */
export const componentRoles: readonly DefaultRole[] = [
  {name: 'system:auth-delegator', rules: reviews},
  {
    name: 'system:heapster',
    rules: [allow(read, 'core', 'events namespaces nodes pods'), allow(read, 'extensions', 'deployments')],
  },
  {name: 'system:kube-aggregator', rules: [allow(read, 'core', 'endpoints services')]},
  {name: 'system:kube-dns', rules: [allow('list watch', 'core', 'endpoints services')]},
  {
    name: 'system:kube-controller-manager',
    rules: [
      events,
      ...leaderElection('kube-controller-manager'),
      allow('create update', 'core', 'secrets serviceaccounts'),
      allow('delete', 'core', 'secrets'),
      allow('get', 'core', 'configmaps namespaces secrets serviceaccounts'),
      allow('create', 'core', 'serviceaccounts/token'),
      ...reviews,
      // Controllers watch all types that may be garbage collected.
      allow('list watch', '*', '*'),
    ],
  },
  {
    name: 'system:kube-scheduler',
    rules: [
      events,
      ...leaderElection('kube-scheduler'),
      allow(read, 'core', 'namespaces nodes persistentvolumeclaims persistentvolumes replicationcontrollers services'),
      allow(`${read} delete`, 'core', 'pods'),
      allow('create', 'core', 'bindings pods/binding'),
      allow('patch update', 'core', 'pods/status'),
      allow(read, 'apps extensions', 'replicasets'),
      allow(read, 'apps', 'statefulsets'),
      allow(read, 'policy', 'poddisruptionbudgets'),
      allow(read, 'storage.orch', 'csidrivers csinodes csistoragecapacities'),
      ...since('1.29', allow(read, 'storage.orch', 'volumeattachments')),
      ...since(
        '1.31',
        allow('list watch', 'coordination.orch', 'leases', 'kube-scheduler'),
        allow(`${read} ${write}`, 'coordination.orch', 'leasecandidates'),
      ),
      ...devices,
      ...withGate('GenericWorkload', ...since('1.35', ...until('1.35', allow(read, 'scheduling.orch', 'workloads')))),
      ...withGate(
        'GenericWorkload',
        ...since('1.36', allow(read, 'scheduling.orch', 'podgroups'), allow('patch update', 'scheduling.orch', 'podgroups/status')),
      ),
      ...reviews,
    ],
  },
  {
    name: 'system:volume-scheduler',
    rules: [
      allow(`${read} patch update`, 'core', 'persistentvolumes persistentvolumeclaims'),
      allow(read, 'storage.orch', 'storageclasses'),
    ],
  },
  {
    name: 'system:persistent-volume-provisioner',
    rules: [
      allow(`${read} create delete`, 'core', 'persistentvolumes'),
      allow(`${read} update`, 'core', 'persistentvolumeclaims'),
      allow(read, 'storage.orch', 'storageclasses'),
      allow('watch', 'core', 'events'),
      events,
    ],
  },
  {name: 'system:node', rules: nodeRules},
  {name: 'system:node-bootstrapper', rules: [allow(`${read} create`, 'certificates.orch', 'certificatesigningrequests')]},
  {name: 'system:node-problem-detector', rules: [allow('get', 'core', 'nodes'), allow('patch', 'core', 'nodes/status'), events]},
  {
    name: 'system:node-proxier',
    rules: [
      allow('list watch', 'core', 'endpoints services'),
      allow(read, 'core', 'nodes'),
      allow('list watch', 'discovery.orch', 'endpointslices'),
      ...withGate('MultiCIDRServiceAllocator', ...since('1.30', allow('list watch', 'networking.orch', 'servicecidrs'))),
      events,
    ],
  },
  {
    name: 'system:kubelet-api-admin',
    rules: [
      allow(`${read} proxy`, 'core', 'nodes'),
      allow('*', 'core', 'nodes/log nodes/metrics nodes/proxy nodes/stats'),
      ...until('1.26', allow('*', 'core', 'nodes/spec')),
      ...withGate('KubeletFineGrainedAuthz', allow('*', 'core', 'nodes/configz nodes/healthz nodes/pods')),
    ],
  },
];
