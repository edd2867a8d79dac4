import type {ObjectMeta} from '../../../sdk/index.js';
import type {LabelSelector} from '../labels/label-selector.js';
import type {PersistentVolumeClaimSpec} from '../volumes/persistent-volume-claim-spec.js';

/** Fields of pods as far as rules and behaviour look at them; the schema file of the core group has them all. */
export interface PodTemplateSpec {
  metadata?: ObjectMeta;
  spec?: PodSpec;
}

/** Amounts by name of the resource, as texts in normal form. */
export type ResourceList = Record<string, string>;

export interface PodSpec {
  volumes?: Volume[];
  initContainers?: Container[];
  containers?: Container[];
  ephemeralContainers?: EphemeralContainer[];
  restartPolicy?: string;
  terminationGracePeriodSeconds?: number;
  activeDeadlineSeconds?: number;
  dnsPolicy?: string;
  nodeSelector?: Record<string, string>;
  serviceAccountName?: string;
  serviceAccount?: string;
  nodeName?: string;
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  hostUsers?: boolean;
  shareProcessNamespace?: boolean;
  securityContext?: PodSecurityContext;
  imagePullSecrets?: {name?: string}[];
  hostname?: string;
  subdomain?: string;
  affinity?: Affinity;
  schedulerName?: string;
  tolerations?: Toleration[];
  hostAliases?: {ip?: string; hostnames?: string[]}[];
  priorityClassName?: string;
  priority?: number;
  preemptionPolicy?: string;
  dnsConfig?: PodDnsConfig;
  readinessGates?: {conditionType?: string}[];
  runtimeClassName?: string;
  enableServiceLinks?: boolean;
  overhead?: ResourceList;
  topologySpreadConstraints?: TopologySpreadConstraint[];
  os?: {name?: string};
  schedulingGates?: {name?: string}[];
  resourceClaims?: PodResourceClaim[];
}

export interface PodResourceClaim {
  name?: string;
  source?: {resourceClaimName?: string; resourceClaimTemplateName?: string};
}

export interface PodDnsConfig {
  nameservers?: string[];
  searches?: string[];
  options?: {name?: string; value?: string}[];
}

/** What containers, init containers and ephemeral containers have in common. */
export interface Container {
  name?: string;
  image?: string;
  imagePullPolicy?: string;
  command?: string[];
  args?: string[];
  ports?: ContainerPort[];
  env?: EnvVar[];
  envFrom?: EnvFromSource[];
  resources?: ResourceRequirements;
  volumeMounts?: VolumeMount[];
  volumeDevices?: {name?: string; devicePath?: string}[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: {postStart?: Handler; preStop?: Handler};
  terminationMessagePath?: string;
  terminationMessagePolicy?: string;
  securityContext?: SecurityContext;
}

export interface EphemeralContainer extends Container {
  targetContainerName?: string;
}

export interface ContainerPort {
  name?: string;
  hostPort?: number;
  containerPort?: number;
  protocol?: string;
  hostIP?: string;
}

export interface EnvVar {
  name?: string;
  value?: string;
  valueFrom?: {
    fieldRef?: ObjectFieldSelector;
    resourceFieldRef?: ResourceFieldSelector;
    configMapKeyRef?: KeySelector;
    secretKeyRef?: KeySelector;
  };
}

export interface KeySelector {
  name?: string;
  key?: string;
}

export interface EnvFromSource {
  prefix?: string;
  configMapRef?: {name?: string};
  secretRef?: {name?: string};
}

export interface ObjectFieldSelector {
  apiVersion?: string;
  fieldPath?: string;
}

export interface ResourceFieldSelector {
  containerName?: string;
  resource?: string;
  divisor?: string;
}

export interface ResourceRequirements {
  limits?: ResourceList;
  requests?: ResourceList;
  claims?: {name?: string}[];
}

export interface VolumeMount {
  name?: string;
  readOnly?: boolean;
  mountPath?: string;
  subPath?: string;
  subPathExpr?: string;
  mountPropagation?: string;
}

/** What a probe or a lifecycle hook does: exactly one of these. */
export interface Handler {
  exec?: {command?: string[]};
  httpGet?: {path?: string; port?: number | string; scheme?: string; httpHeaders?: {name?: string; value?: string}[]};
  tcpSocket?: {port?: number | string};
  grpc?: {port?: number};
}

export interface Probe extends Handler {
  initialDelaySeconds?: number;
  timeoutSeconds?: number;
  periodSeconds?: number;
  successThreshold?: number;
  failureThreshold?: number;
  terminationGracePeriodSeconds?: number;
}

export interface SeccompProfile {
  type?: string;
  localhostProfile?: string;
}

export interface WindowsOptions {
  gmsaCredentialSpecName?: string;
  gmsaCredentialSpec?: string;
  runAsUserName?: string;
  hostProcess?: boolean;
}

export interface SecurityContext {
  capabilities?: {add?: string[]; drop?: string[]};
  privileged?: boolean;
  seLinuxOptions?: object;
  windowsOptions?: WindowsOptions;
  runAsUser?: number;
  runAsGroup?: number;
  readOnlyRootFilesystem?: boolean;
  allowPrivilegeEscalation?: boolean;
  procMount?: string;
  seccompProfile?: SeccompProfile;
}

export interface PodSecurityContext {
  seLinuxOptions?: object;
  windowsOptions?: WindowsOptions;
  runAsUser?: number;
  runAsGroup?: number;
  supplementalGroups?: number[];
  fsGroup?: number;
  sysctls?: {name?: string; value?: string}[];
  fsGroupChangePolicy?: string;
  seccompProfile?: SeccompProfile;
}

export interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: number;
}

export interface NodeSelectorRequirement {
  key?: string;
  operator?: string;
  values?: string[];
}

export interface NodeSelectorTerm {
  matchExpressions?: NodeSelectorRequirement[];
  matchFields?: NodeSelectorRequirement[];
}

export interface NodeSelector {
  nodeSelectorTerms?: NodeSelectorTerm[];
}

export interface PodAffinityTerm {
  labelSelector?: LabelSelector;
  namespaceSelector?: LabelSelector;
  namespaces?: string[];
  topologyKey?: string;
}

/** Of `podAffinity` and `podAntiAffinity` alike. */
export interface PodAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: {weight?: number; podAffinityTerm?: PodAffinityTerm}[];
}

export interface Affinity {
  nodeAffinity?: {
    requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
    preferredDuringSchedulingIgnoredDuringExecution?: {weight?: number; preference?: NodeSelectorTerm}[];
  };
  podAffinity?: PodAffinity;
  podAntiAffinity?: PodAffinity;
}

export interface TopologySpreadConstraint {
  maxSkew?: number;
  topologyKey?: string;
  whenUnsatisfiable?: string;
  labelSelector?: LabelSelector;
  minDomains?: number;
  nodeAffinityPolicy?: string;
  nodeTaintsPolicy?: string;
  matchLabelKeys?: string[];
}

export interface KeyToPath {
  key?: string;
  path?: string;
  mode?: number;
}

export interface DownwardApiFile {
  path?: string;
  fieldRef?: ObjectFieldSelector;
  resourceFieldRef?: ResourceFieldSelector;
  mode?: number;
}

export interface VolumeProjection {
  secret?: {name?: string; items?: KeyToPath[]};
  configMap?: {name?: string; items?: KeyToPath[]};
  downwardAPI?: {items?: DownwardApiFile[]};
  serviceAccountToken?: {audience?: string; expirationSeconds?: number; path?: string};
}

/** A volume has exactly one source; the sources of storage plugins are in `volumes/storage-sources.ts`. */
export interface Volume {
  name?: string;
  emptyDir?: {medium?: string; sizeLimit?: string};
  hostPath?: {path?: string; type?: string};
  secret?: {secretName?: string; items?: KeyToPath[]; defaultMode?: number};
  configMap?: {name?: string; items?: KeyToPath[]; defaultMode?: number};
  downwardAPI?: {items?: DownwardApiFile[]; defaultMode?: number};
  projected?: {sources?: VolumeProjection[]; defaultMode?: number};
  persistentVolumeClaim?: {claimName?: string; readOnly?: boolean};
  ephemeral?: {volumeClaimTemplate?: {metadata?: ObjectMeta; spec?: PersistentVolumeClaimSpec}};
  csi?: {driver?: string; nodePublishSecretRef?: {name?: string}};
  gitRepo?: {repository?: string; directory?: string};
  gcePersistentDisk?: {pdName?: string; readOnly?: boolean};
  [source: string]: unknown;
}
