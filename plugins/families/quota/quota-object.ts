import type {ApiObject, ResourceRef} from '../../../sdk/index.js';
import type * as core from '../../../sdk/types/core/v1.js';

/** A ResourceQuota: what a namespace may hold, and in its status what it holds. */
export type ResourceQuota = core.ResourceQuota & ApiObject;

/** One condition on the objects that a quota counts. */
export interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export const resourceQuotas: ResourceRef = {group: '', version: 'v1', resource: 'resourcequotas'};

/** All conditions of a quota, those of `scopes` and those of `scopeSelector` alike. */
export function scopesOf({spec}: ResourceQuota): ScopeRequirement[] {
  const plain = (spec?.scopes ?? []).map((scopeName) => ({scopeName, operator: 'Exists'}));
  return [...plain, ...((spec?.scopeSelector?.matchExpressions ?? []) as ScopeRequirement[])];
}
