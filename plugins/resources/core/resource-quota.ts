import type {ApiObject} from '../../../sdk/index.js';

/** How much of everything a namespace may hold. */
export interface ResourceQuota extends ApiObject {
  spec?: ResourceQuotaSpec;
  status?: {hard?: Record<string, string>; used?: Record<string, string>};
}

export interface ResourceQuotaSpec {
  hard?: Record<string, string>;
  scopes?: string[];
  scopeSelector?: {matchExpressions?: ScopeRequirement[]};
}

export interface ScopeRequirement {
  scopeName?: string;
  operator?: string;
  values?: string[];
}
