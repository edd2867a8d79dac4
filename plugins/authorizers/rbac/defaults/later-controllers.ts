import {since, until, withGate, type Released, type ReleasedRule} from '../../../families/rbac/released-rules.js';
import {allow, events, read} from '../../../families/rbac/written-rule.js';

interface LaterController extends Released {
  /** Of its service account. */
  readonly name: string;
  readonly rules: readonly ReleasedRule[];
}

/** Controllers that came after 1.26, and those that a feature gate brings. */
export const laterControllers: readonly LaterController[] = [
  {
    name: 'resource-claim-controller',
    gate: 'DynamicResourceAllocation',
    rules: [
      allow(read, 'core', 'pods'),
      allow('update', 'core', 'pods/finalizers'),
      allow(`${read} create`, 'resource.orch', 'resourceclaims'),
      allow('patch update', 'resource.orch', 'resourceclaims/status'),
      ...since('1.28', allow('delete', 'resource.orch', 'resourceclaims'), allow('patch update', 'core', 'pods/status')),
      ...since('1.28', ...until('1.31', allow(`${read} create patch update`, 'resource.orch', 'podschedulingcontexts'))),
      ...since('1.30', allow('patch update', 'resource.orch', 'resourceclaims')),
      ...withGate('DRAResourceClaimGranularStatusAuthorization', allow('patch update', 'resource.orch', 'resourceclaims/binding')),
      ...withGate(
        'DRAWorkloadResourceClaims',
        allow(read, 'scheduling.orch', 'podgroups'),
        allow('patch update', 'scheduling.orch', 'podgroups/status'),
      ),
      events,
    ],
  },
  {
    name: 'device-taint-eviction-controller',
    gate: 'DRADeviceTaints',
    since: '1.33',
    rules: [
      allow(`${read} delete`, 'core', 'pods'),
      allow('patch update', 'core', 'pods/status'),
      allow(read, 'resource.orch', 'deviceclasses resourceclaims resourceslices'),
      ...until('1.34', allow(read, 'resource.orch', 'devicetaintrules')),
      ...withGate(
        'DRADeviceTaintRules',
        ...since(
          '1.35',
          allow(read, 'resource.orch', 'devicetaintrules'),
          allow('patch update', 'resource.orch', 'devicetaintrules/status'),
        ),
      ),
      events,
    ],
  },
  {
    name: 'resourcepoolstatusrequest-controller',
    gate: 'DRAResourcePoolStatus',
    rules: [
      allow(`${read} delete`, 'resource.orch', 'resourcepoolstatusrequests'),
      allow('patch update', 'resource.orch', 'resourcepoolstatusrequests/status'),
      allow(read, 'resource.orch', 'resourceclaims resourceslices'),
      events,
    ],
  },
  {
    name: 'validatingadmissionpolicy-status-controller',
    gate: 'ValidatingAdmissionPolicy',
    since: '1.28',
    rules: [
      allow(read, 'admissionregistration.orch', 'validatingadmissionpolicies'),
      allow('get patch update', 'admissionregistration.orch', 'validatingadmissionpolicies/status'),
      events,
    ],
  },
  {
    name: 'legacy-service-account-token-cleaner',
    since: '1.29',
    rules: [
      allow('get', 'core', 'configmaps', 'kube-apiserver-legacy-service-account-token-tracking'),
      allow('delete patch', 'core', 'secrets'),
    ],
  },
  {
    name: 'service-cidrs-controller',
    gate: 'MultiCIDRServiceAllocator',
    since: '1.29',
    rules: [
      allow(`${read} patch update`, 'networking.orch', 'servicecidrs'),
      allow('patch update', 'networking.orch', 'servicecidrs/finalizers servicecidrs/status'),
      allow(read, 'networking.orch', 'ipaddresses'),
      events,
    ],
  },
  {
    name: 'storage-version-migrator-controller',
    gate: 'StorageVersionMigrator',
    since: '1.30',
    rules: [
      allow('list patch', '*', '*'),
      ...since('1.31', allow('create', '*', '*')),
      ...since('1.32', ...until('1.34', allow('watch', '*', '*'))),
      allow('update', 'storagemigration.orch', 'storageversionmigrations/status'),
      ...since(
        '1.36',
        allow('get', 'apiextensions.orch', 'customresourcedefinitions'),
        allow('patch', 'apiextensions.orch', 'customresourcedefinitions/status'),
      ),
    ],
  },
  {
    name: 'volumeattributesclass-protection-controller',
    gate: 'VolumeAttributesClass',
    since: '1.32',
    rules: [
      allow(read, 'core', 'persistentvolumeclaims persistentvolumes'),
      allow(`${read} update`, 'storage.orch', 'volumeattributesclasses'),
      events,
    ],
  },
  {
    name: 'kube-apiserver-serving-clustertrustbundle-publisher',
    gate: 'ClusterTrustBundle',
    since: '1.32',
    rules: [
      allow('attest', 'certificates.orch', 'signers', 'kubernetes.io/kube-apiserver-serving'),
      allow('create delete list update watch', 'certificates.orch', 'clustertrustbundles'),
      events,
    ],
  },
  {
    name: 'selinux-warning-controller',
    gate: 'SELinuxChangePolicy',
    since: '1.32',
    rules: [allow(read, 'core', 'persistentvolumeclaims persistentvolumes pods'), allow(read, 'storage.orch', 'csidrivers'), events],
  },
  {
    name: 'podcertificaterequestcleaner',
    gate: 'PodCertificateRequest',
    rules: [allow(`${read} delete`, 'certificates.orch', 'podcertificaterequests')],
  },
  {
    name: 'podgroup-protection-controller',
    gate: 'GenericWorkload',
    since: '1.36',
    rules: [allow(`${read} update`, 'scheduling.orch', 'podgroups'), allow(read, 'core', 'pods')],
  },
];
