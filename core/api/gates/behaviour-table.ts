/**
 * What Kubernetes does in some releases, though no feature gate says so: since which it does (`1.33`), or from which to which (`1.27 to 1.32`). Code asks for the name, as for a gate;
 * nobody can set it, and none is listed among the gates. Only what clients see and what a gate does not tell apart belongs here.
 */
export const behaviourTable: Readonly<Record<string, string>> = {
  /** Addresses in all fields are refused in the same words, and those in an unusual form are warned of. */
  AddressForms: '1.33',
  /** Profiles of AppArmor are written to annotations, for nodes that do not know the fields. */
  AppArmorAnnotations: '1.30 to 1.33',
  /** The names in a request to attach a volume are checked whenever it is changed, not only when it is new. */
  AttachmentNamesChecked: '1.36',
  /** A file can say how tokens of other issuers are understood. */
  AuthenticationConfigurationFile: '1.29',
  /** Autoscalers say in which group what they scale is, and in which version they know what they measure. */
  AutoscalerTargetVersions: '1.34',
  /** CSIDrivers may change in `fsGroupPolicy` and `podInfoOnMount` too, and any change of their spec counts. */
  ChangeableCSIDrivers: '1.30',
  /** What a definition says of the certificates of its webhook has to be readable once it is established. */
  ConversionCABundlesChecked: '1.31',
  /** How many revisions of a StatefulSet are kept can be changed. */
  ChangeableRevisionHistoryLimits: '1.33',
  /** An object with too many or too few members is looked at further. */
  CountedObjectsValidated: '1.28',
  /** Certificates, and tokens of other issuers than the server, have ids, which users have in their extra values. */
  CredentialIds: '1.32',
  /** Containers that request cpu or memory get a policy for changes of it. */
  DefaultResizePolicy: '1.27 to 1.32',
  /** Rules are not evaluated either for an object with a value that an enum does not have. */
  EnumFaultsBlockRules: '1.29',
  /** Services that have external addresses are warned of as having them. */
  ExternalIPsDeprecated: '1.36',
  /** What is wrong with a status that is written by itself has its place in the status alone. */
  FaultsPlacedInStatus: '1.29 to 1.30',
  /** What is wrong is shown as JSON; before, lists and objects were shown as in a program. */
  FaultValuesInJson: '1.34',
  /** Slices of endpoints with domain names for addresses are warned of. */
  FQDNEndpointsDeprecated: '1.27',
  /** Claims that are made for pods have names that nobody can guess, which the status of the pod names. */
  GeneratedClaimNames: '1.28',
  /** A ServiceCIDR with one block may get a second one, of the other family. */
  GrowingServiceCIDRs: '1.33',
  /** Certificates in secrets that their keys do not belong to are warned of. */
  KeyPairWarnings: '1.27',
  /** What may not change of a StorageClass is refused as immutable, not as forbidden. */
  ImmutableStorageClasses: '1.36',
  /** `k8s-short-name` and `k8s-long-name` are formats of schemas. */
  KubernetesNameFormats: '1.34',
  /** Keys and values of labels are judged as such, and may have so many bytes. */
  LabelKeyWords: '1.35',
  /** Uses of tokens in Secrets are counted, by whether they were made by hand, and those that are marked as invalid are refused. */
  LegacyTokenUses: '1.29',
  /** What is too long may not be more than so many bytes, whatever is counted. */
  LengthsInBytes: '1.32',
  /** What may change of a pod is listed, each thing by itself. */
  ListedPodChanges: '1.27',
  /** Service accounts that keep pods from all secrets but their own are warned of. */
  MountableSecretsDeprecated: '1.32',
  /** Migrations of stored objects of a type run one after the other, and definitions say that one is running. */
  MigrationsInTurn: '1.36',
  /** The formats of numbers in schemas are checked. */
  NumberFormatRanges: '1.36',
  /** Pods are resized through a subresource, and not by writing the pod. */
  PodResizeSubresource: '1.32',
  /** Classes of the attributes of volumes have a finalizer from the begin, which goes with their last user. */
  ProtectedVolumeAttributesClasses: '1.33',
  /** More selectable fields than a definition may have stay while they do not change. */
  RatchetedSelectableFields: '1.35',
  /** What an update of a status leaves as it was may be invalid, as in other updates. */
  RatchetedStatus: '1.31',
  /** Values that pods require of nodes are such as labels can have. */
  RequiredAffinityValues: '1.33',
  /** An autoscaler with no replicas at most lacks that number. */
  RequiredMaxReplicas: '1.36',
  /** Names that what comes from files has are warned of in other objects. */
  ReservedStaticNames: '1.36',
  /** Resizes of pods that their node can never grant are refused. */
  ResizeWithinNode: '1.36',
  /** What breaks a rule is shown; of an object or a list nothing is. */
  RuleFaultsShowValues: '1.35',
  /** Faults of definitions do not repeat the name of the field. */
  ShortDefinitionDetails: '1.34',
  /** What is said of single fields does not repeat that they are required, or their names. */
  ShortFieldDetails: '1.34',
  /** Faults of policies do not repeat the name of the field. */
  ShortPolicyDetails: '1.34',
  /** At most one of something is `1 item`, and `1 byte`. */
  SingularCounts: '1.34',
  /** Keys of labels by which pods are spread need a selector beside them. */
  SpreadKeysNeedSelectors: '1.27',
  /** The names of StatefulSets are labels in DNS, as those of their pods. */
  StatefulSetNamesAreLabels: '1.27',
  /** So are those of the services that new StatefulSets name. */
  StatefulSetServiceNamesAreLabels: '1.33',
  /** Templates of StatefulSets are checked as those of other workloads, with the volumes of their claims. */
  StatefulSetTemplatesValidated: '1.34',
  /** It is said what keeps a version in which objects may be stored. */
  StorageMigrationDetails: '1.33',
  /** Definitions with formats that are not checked are warned of. */
  UnrecognizedFormatWarnings: '1.34',
};
