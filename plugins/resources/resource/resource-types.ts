import type {Unchecked} from '../../../sdk/index.js';
import type * as resource from '../../../sdk/types/resource/v1alpha1.js';

/** The group's types before validation. */
export type ConsumerReference = Unchecked<resource.ResourceClaimConsumerReference>;
export type ParametersReference = Unchecked<resource.ResourceClassParametersReference>;
export type PodScheduling = Unchecked<resource.PodScheduling>;
export type ResourceClaim = Unchecked<resource.ResourceClaim>;
export type ResourceClaimSpec = Unchecked<resource.ResourceClaimSpec>;
export type ResourceClaimStatus = Unchecked<resource.ResourceClaimStatus>;
export type ResourceClaimTemplate = Unchecked<resource.ResourceClaimTemplate>;
export type ResourceClass = Unchecked<resource.ResourceClass>;
