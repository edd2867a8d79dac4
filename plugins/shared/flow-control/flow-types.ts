import type {ApiObject} from '../../../sdk/index.js';

/** Fields of the group's types as far as their behaviour looks at them; the schema files have them all. */
export interface FlowSchema extends ApiObject {
  spec?: FlowSchemaSpec;
  status?: FlowStatus;
}

export interface FlowSchemaSpec {
  priorityLevelConfiguration?: {name?: string};
  matchingPrecedence?: number;
  distinguisherMethod?: {type?: string};
  rules?: PolicyRulesWithSubjects[];
}

export interface PolicyRulesWithSubjects {
  subjects?: FlowSubject[] | null;
  resourceRules?: ResourcePolicyRule[];
  nonResourceRules?: NonResourcePolicyRule[];
}

export interface FlowSubject {
  /** `User`, `Group` or `ServiceAccount`; says which one of the others is set. */
  kind?: string;
  user?: {name?: string};
  group?: {name?: string};
  serviceAccount?: {namespace?: string; name?: string};
}

export interface ResourcePolicyRule {
  verbs?: string[] | null;
  apiGroups?: string[] | null;
  resources?: string[] | null;
  clusterScope?: boolean;
  namespaces?: string[] | null;
}

export interface NonResourcePolicyRule {
  verbs?: string[] | null;
  nonResourceURLs?: string[] | null;
}

export interface PriorityLevelConfiguration extends ApiObject {
  spec?: PriorityLevelSpec;
  status?: FlowStatus;
}

export interface PriorityLevelSpec {
  type?: string;
  limited?: LimitedPriorityLevel;
}

export interface LimitedPriorityLevel {
  /** The name from `v1beta3` on. */
  nominalConcurrencyShares?: number;
  /** The name in `v1beta2`. */
  assuredConcurrencyShares?: number;
  limitResponse?: {type?: string; queuing?: Queuing};
  lendablePercent?: number;
  borrowingLimitPercent?: number;
}

export interface Queuing {
  queues?: number;
  handSize?: number;
  queueLengthLimit?: number;
}

export interface FlowStatus {
  conditions?: FlowCondition[];
}

export interface FlowCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
