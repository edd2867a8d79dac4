import {since, withGate, type ReleasedRule} from './released-rules.js';
import {allow, read} from './written-rule.js';

/** Permissions of nodes, in the neutral form; the mode Node restricts them to objects related to the node. */
export const nodeRules: readonly ReleasedRule[] = [
  allow('create', 'authentication.orch', 'tokenreviews'),
  allow('create', 'authorization.orch', 'localsubjectaccessreviews subjectaccessreviews'),
  allow(read, 'core', 'configmaps pods secrets services'),
  allow(`${read} create patch update`, 'core', 'nodes'),
  allow('patch update', 'core', 'nodes/status pods/status'),
  allow('create patch update', 'core', 'events'),
  ...since('1.35', allow('create patch update', 'events.orch', 'events')),
  allow('create delete', 'core', 'pods'),
  allow('create', 'core', 'pods/eviction serviceaccounts/token'),
  allow('get', 'core', 'endpoints persistentvolumeclaims persistentvolumes'),
  allow('get patch update', 'core', 'persistentvolumeclaims/status'),
  allow(`${read} create`, 'certificates.orch', 'certificatesigningrequests'),
  allow('get create update patch delete', 'coordination.orch', 'leases'),
  allow('get', 'storage.orch', 'volumeattachments'),
  allow(read, 'storage.orch', 'csidrivers'),
  allow('get create update patch delete', 'storage.orch', 'csinodes'),
  allow(read, 'node.orch', 'runtimeclasses'),
  ...withGate(
    'DynamicResourceAllocation',
    allow('get', 'resource.orch', 'resourceclaims'),
    ...since('1.31', allow('deletecollection', 'resource.orch', 'resourceslices')),
  ),
  ...withGate('ClusterTrustBundle', allow(read, 'certificates.orch', 'clustertrustbundles')),
  ...withGate('KubeletServiceAccountTokenForCredentialProviders', allow('get', 'core', 'serviceaccounts')),
  ...withGate('PodCertificateRequest', allow(`${read} create`, 'certificates.orch', 'podcertificaterequests')),
];
