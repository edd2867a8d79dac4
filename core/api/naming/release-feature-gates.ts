import type {FeatureGateDeclaration} from '../../../sdk/index.js';

/** Declares the releases in which a gate was introduced (as alpha, unless it started as beta), became beta and became stable. */
function gate(
  byDefault: boolean,
  introduced: string,
  beta?: string,
  stable?: string,
): Required<Pick<FeatureGateDeclaration, 'default' | 'stage' | 'lifetime'>> {
  const stage = stable !== undefined ? 'stable' : beta !== undefined ? 'beta' : 'alpha';
  return {
    default: byDefault,
    stage,
    lifetime: {introduced, ...(beta === undefined ? {} : {beta}), ...(stable === undefined ? {} : {stable})},
  };
}

type ReleaseGates = Readonly<Record<string, ReturnType<typeof gate>>>;

/**
 * Feature gates of release 1.26 that change the behavior of an API server. Gates that are locked or concern only node agents, schedulers
 * and cloud providers are left out.
 */
export const releaseGates: ReleaseGates = {
  APIListChunking: gate(true, '1.8', '1.9'),
  APIPriorityAndFairness: gate(true, '1.18', '1.20'),
  APIResponseCompression: gate(true, '1.7', '1.16'),
  APISelfSubjectReview: gate(false, '1.26'),
  AggregatedDiscoveryEndpoint: gate(false, '1.26'),
  AnyVolumeDataSource: gate(true, '1.18', '1.24'),
  CSINodeExpandSecret: gate(false, '1.25'),
  CronJobTimeZone: gate(true, '1.24', '1.25'),
  CrossNamespaceVolumeDataSource: gate(false, '1.26'),
  CustomResourceValidationExpressions: gate(true, '1.23', '1.25'),
  DynamicResourceAllocation: gate(false, '1.26'),
  ExpandPersistentVolumes: gate(true, '1.8', '1.11', '1.24'),
  GRPCContainerProbe: gate(true, '1.23', '1.24'),
  HPAContainerMetrics: gate(false, '1.20'),
  HPAScaleToZero: gate(false, '1.16'),
  HonorPVReclaimPolicy: gate(false, '1.23'),
  JobMutableNodeSchedulingDirectives: gate(true, '1.23', '1.23'),
  JobPodFailurePolicy: gate(true, '1.25', '1.26'),
  JobReadyPods: gate(true, '1.23', '1.24'),
  LegacyServiceAccountTokenNoAutoGeneration: gate(true, '1.24', '1.24', '1.26'),
  LegacyServiceAccountTokenTracking: gate(false, '1.26'),
  LogarithmicScaleDown: gate(true, '1.21', '1.22'),
  MatchLabelKeysInPodTopologySpread: gate(false, '1.25'),
  MaxUnavailableStatefulSet: gate(false, '1.24'),
  MinDomainsInPodTopologySpread: gate(false, '1.24', '1.25'),
  MultiCIDRRangeAllocator: gate(false, '1.25'),
  NetworkPolicyStatus: gate(false, '1.24'),
  NodeInclusionPolicyInPodTopologySpread: gate(true, '1.25', '1.26'),
  OpenAPIEnums: gate(true, '1.23', '1.24'),
  OpenAPIV3: gate(true, '1.23', '1.24'),
  PDBUnhealthyPodEvictionPolicy: gate(false, '1.26'),
  PodDeletionCost: gate(true, '1.21', '1.22'),
  PodDisruptionConditions: gate(true, '1.25', '1.26'),
  PodSchedulingReadiness: gate(false, '1.26'),
  ProbeTerminationGracePeriod: gate(true, '1.21', '1.22'),
  ProcMountType: gate(false, '1.12'),
  ReadWriteOncePod: gate(false, '1.22'),
  RecoverVolumeExpansionFailure: gate(false, '1.23'),
  RetroactiveDefaultStorageClass: gate(true, '1.25', '1.26'),
  SELinuxMountReadWriteOncePod: gate(false, '1.25'),
  SeccompDefault: gate(true, '1.22', '1.25'),
  ServerSideFieldValidation: gate(true, '1.23', '1.25'),
  StatefulSetAutoDeletePVC: gate(false, '1.22'),
  StatefulSetStartOrdinal: gate(false, '1.26'),
  TopologyAwareHints: gate(true, '1.21', '1.23'),
  UserNamespacesStatelessPodsSupport: gate(false, '1.25'),
  ValidatingAdmissionPolicy: gate(false, '1.26'),
};

function removedGate(removed: string, introduced: string, beta?: string, stable?: string, deprecated?: string): ReleaseGates[string] {
  const declared = gate(false, introduced, beta, stable);
  return {...declared, lifetime: {...declared.lifetime, ...(deprecated === undefined ? {} : {deprecated}), removed}};
}

/**
 * API server gates that earlier releases had. The check of declared lifetimes looks at when they were removed; gates removed from the table
 * above move here.
 */
export const removedGates: ReleaseGates = {
  AllowInsecureBackendProxy: removedGate('1.26', '1.17', '1.17', '1.21'),
  CSRDuration: removedGate('1.26', '1.22', '1.22', '1.24'),
  CustomResourceDefaulting: removedGate('1.19', '1.15', '1.16', '1.17'),
  CustomResourcePublishOpenAPI: removedGate('1.19', '1.14', '1.15', '1.16'),
  CustomResourceSubresources: removedGate('1.19', '1.10', '1.11', '1.16'),
  CustomResourceValidation: removedGate('1.19', '1.8', '1.9', '1.16'),
  CustomResourceWebhookConversion: removedGate('1.19', '1.13', '1.15', '1.16'),
  DynamicAuditing: removedGate('1.20', '1.13', undefined, undefined, '1.19'),
  DynamicKubeletConfig: removedGate('1.26', '1.4', '1.11', undefined, '1.22'),
  IngressClassNamespacedParams: removedGate('1.25', '1.21', '1.22', '1.23'),
};
