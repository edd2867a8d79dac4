/**
 * What Kubernetes does in some releases, though no feature gate says so: since which it does (`1.33`), or from which to which (`1.27 to 1.32`). Code asks for the name, as for a gate;
 * nobody can set it, and none is listed among the gates. Only what clients see and what a gate does not tell apart belongs here.
 */
export const behaviourTable: Readonly<Record<string, string>> = {
  /** Addresses in all fields are refused in the same words, and those in an unusual form are warned of. */
  AddressForms: '1.33',
  /** Profiles of AppArmor are written to annotations, for nodes that do not know the fields. */
  AppArmorAnnotations: '1.30 to 1.33',
  /** A file can say how tokens of other issuers are understood. */
  AuthenticationConfigurationFile: '1.29',
  /** Autoscalers say in which group what they scale is, and in which version they know what they measure. */
  AutoscalerTargetVersions: '1.34',
  /** Certificates, and tokens of other issuers than the server, have ids, which users have in their extra values. */
  CredentialIds: '1.32',
  /** Containers that request cpu or memory get a policy for changes of it. */
  DefaultResizePolicy: '1.27 to 1.32',
  /** Slices of endpoints with domain names for addresses are warned of. */
  FQDNEndpointsDeprecated: '1.27',
  /** Services that have external addresses are warned of as having them. */
  ExternalIPsDeprecated: '1.36',
  /** Claims that are made for pods have names that nobody can guess, which the status of the pod names. */
  GeneratedClaimNames: '1.28',
  /** Certificates in secrets that their keys do not belong to are warned of. */
  KeyPairWarnings: '1.27',
  /** What may change of a pod is listed, each thing by itself. */
  ListedPodChanges: '1.27',
  /** Pods are resized through a subresource, and not by writing the pod. */
  PodResizeSubresource: '1.32',
  /** Values that pods require of nodes are such as labels can have. */
  RequiredAffinityValues: '1.33',
  /** An autoscaler with no replicas at most lacks that number. */
  RequiredMaxReplicas: '1.36',
  /** Resizes of pods that their node can never grant are refused. */
  ResizeWithinNode: '1.36',
  /** Service accounts that keep pods from all secrets but their own are warned of. */
  MountableSecretsDeprecated: '1.32',
};
