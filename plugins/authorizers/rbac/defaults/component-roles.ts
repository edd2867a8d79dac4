import type {FeatureGates} from '../../../../sdk/index.js';
import {nodeRules} from '../../../families/rbac/node-rules.js';
import {allow, events, read, write} from '../../../families/rbac/written-rule.js';
import type {DefaultRole} from './user-roles.js';

const reviews = [allow('create', 'authentication.orch', 'tokenreviews'), allow('create', 'authorization.orch', 'subjectaccessreviews')];

/** Leader election by the component's Lease, or by its Endpoints in older releases. */
const leaderElection = (name: string) => [
  allow('create', 'coordination.orch', 'leases'),
  allow('get update', 'coordination.orch', 'leases', name),
  allow('create', 'core', 'endpoints'),
  allow('get update', 'core', 'endpoints', name),
];

/** ClusterRoles for programs around the API server: nodes, schedulers, controllers, provisioners. */
export const componentRoles = (gates: FeatureGates): DefaultRole[] => [
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
      ...(gates.enabled('DynamicResourceAllocation')
        ? [
            // Until 1.30 a claim was negotiated with its driver.
            allow(read, 'resource.orch', 'podschedulings/status resourceclasses'),
            allow(`${read} ${write}`, 'resource.orch', 'podschedulings'),
            allow(read, 'resource.orch', 'deviceclasses resourceslices'),
            allow(`${read} patch update`, 'resource.orch', 'resourceclaims resourceclaims/status'),
            allow('update', 'core', 'pods/finalizers'),
            ...(gates.enabled('DRAExtendedResource') ? [allow('create delete', 'resource.orch', 'resourceclaims')] : []),
            ...(gates.enabled('DRADeviceTaintRules') ? [allow(read, 'resource.orch', 'devicetaintrules')] : []),
            ...(gates.enabled('DRAResourceClaimGranularStatusAuthorization')
              ? [allow('patch update', 'resource.orch', 'resourceclaims/binding')]
              : []),
          ]
        : []),
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
      events,
    ],
  },
  {
    name: 'system:kubelet-api-admin',
    rules: [allow(`${read} proxy`, 'core', 'nodes'), allow('*', 'core', 'nodes/log nodes/metrics nodes/proxy nodes/spec nodes/stats')],
  },
];
