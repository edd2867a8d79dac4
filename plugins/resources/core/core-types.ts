import type {Unchecked} from '../../../sdk/index.js';
import type * as core from '../../../sdk/types/core/v1.js';

/** The group's types before validation. */
export type ConfigMap = Unchecked<core.ConfigMap>;
export type Event = Unchecked<core.Event>;
export type LimitRange = Unchecked<core.LimitRange>;
export type LimitRangeItem = Unchecked<core.LimitRangeItem>;
export type Namespace = Unchecked<core.Namespace>;
export type NamespaceStatus = Unchecked<core.NamespaceStatus>;
export type ObjectReference = Unchecked<core.ObjectReference>;
export type ResourceQuota = Unchecked<core.ResourceQuota>;
export type ResourceQuotaSpec = Unchecked<core.ResourceQuotaSpec>;
export type ScopeRequirement = Unchecked<core.ScopedResourceSelectorRequirement>;
export type Secret = Unchecked<core.Secret>;

/** Quantities by resource name. */
export type Amounts = Record<string, string>;
