import type {Unchecked} from '../../../sdk/index.js';
import type * as core from '../../../sdk/types/core/v1.js';

/** The types of pods and pod templates before validation. */
export type Affinity = Unchecked<core.Affinity>;
export type Container = Unchecked<core.Container>;
export type ContainerPort = Unchecked<core.ContainerPort>;
export type DownwardApiFile = Unchecked<core.DownwardAPIVolumeFile>;
export type EnvFromSource = Unchecked<core.EnvFromSource>;
export type EnvVar = Unchecked<core.EnvVar>;
export type EphemeralContainer = Unchecked<core.EphemeralContainer>;
export type Handler = Unchecked<core.ProbeHandler>;
export type KeySelector = Unchecked<core.ConfigMapKeySelector>;
export type KeyToPath = Unchecked<core.KeyToPath>;
export type NodeSelector = Unchecked<core.NodeSelector>;
export type NodeSelectorRequirement = Unchecked<core.NodeSelectorRequirement>;
export type NodeSelectorTerm = Unchecked<core.NodeSelectorTerm>;
export type ObjectFieldSelector = Unchecked<core.ObjectFieldSelector>;
export type PodAffinity = Unchecked<core.PodAffinity>;
export type PodAffinityTerm = Unchecked<core.PodAffinityTerm>;
export type PodResourceClaim = Unchecked<core.PodResourceClaim>;
export type PodSecurityContext = Unchecked<core.PodSecurityContext>;
export type PodSpec = Unchecked<core.PodSpec>;
export type PodTemplateSpec = Unchecked<core.PodTemplateSpec>;
export type Probe = Unchecked<core.Probe>;
export type ResourceFieldSelector = Unchecked<core.ResourceFieldSelector>;
/** Normalized quantities by resource name. */
export type ResourceList = Record<string, string>;
export type ResourceRequirements = Unchecked<core.ResourceRequirements>;
export type SeccompProfile = Unchecked<core.SeccompProfile>;
export type SecurityContext = Unchecked<core.SecurityContext>;
export type Toleration = Unchecked<core.Toleration>;
export type TopologySpreadConstraint = Unchecked<core.TopologySpreadConstraint>;
export type Volume = Unchecked<core.Volume>;
export type VolumeMount = Unchecked<core.VolumeMount>;
export type VolumeProjection = Unchecked<core.VolumeProjection>;
export type WindowsOptions = Unchecked<core.WindowsSecurityContextOptions>;
