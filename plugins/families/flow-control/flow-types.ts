import type {Unchecked} from '../../../sdk/index.js';
import type * as v1beta3 from '../../../sdk/types/flowcontrol.apiserver/v1beta3.js';
import type * as v1beta2 from '../../../sdk/types/flowcontrol.apiserver/v1beta2.js';

/** The group's types before validation. */
export type FlowSchema = Unchecked<v1beta3.FlowSchema>;
export type FlowSchemaSpec = Unchecked<v1beta3.FlowSchemaSpec>;
export type FlowSubject = Unchecked<v1beta3.Subject>;
export type NonResourcePolicyRule = Unchecked<v1beta3.NonResourcePolicyRule>;
export type PolicyRulesWithSubjects = Unchecked<v1beta3.PolicyRulesWithSubjects>;
export type Queuing = Unchecked<v1beta3.QueuingConfiguration>;
export type ResourcePolicyRule = Unchecked<v1beta3.ResourcePolicyRule>;

/** With the names of the shares in both versions. */
export type LimitedPriorityLevel = Unchecked<v1beta2.LimitedPriorityLevelConfiguration> &
  Unchecked<v1beta3.LimitedPriorityLevelConfiguration>;
export type PriorityLevelSpec = Omit<Unchecked<v1beta3.PriorityLevelConfigurationSpec>, 'limited'> & {limited?: LimitedPriorityLevel};
export type PriorityLevelConfiguration = Omit<Unchecked<v1beta3.PriorityLevelConfiguration>, 'spec'> & {spec?: PriorityLevelSpec};
export type FlowStatus = Unchecked<v1beta3.FlowSchemaStatus>;
export type FlowCondition = Unchecked<v1beta3.FlowSchemaCondition>;
