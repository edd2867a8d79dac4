import type {PriorityLevelSpec} from './flow-types.js';
import type {FlowSchemaSpec, PolicyRulesWithSubjects, Subject} from '../../../sdk/types/unchecked/flowcontrol.apiserver/v1beta3.js';

/** The flow schema and priority level whose requests are not limited. */
export const exemptName = 'exempt';
const catchAllName = 'catch-all';

/** A rule for all requests of these subjects. */
export function everythingBy(subjects: Subject[]): PolicyRulesWithSubjects {
  return {
    subjects,
    resourceRules: [{verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*']}],
    nonResourceRules: [{verbs: ['*'], nonResourceURLs: ['*']}],
  };
}

export function groups(...names: string[]): Subject[] {
  return names.map((name) => ({kind: 'Group', group: {name}}));
}

/**
 * The specs of the objects that flow control requires: administrators are never limited, and every request matches a schema. They are
 * immutable.
 */
export const mandatoryFlowSchemas: ReadonlyMap<string, FlowSchemaSpec> = new Map([
  [exemptName, {priorityLevelConfiguration: {name: exemptName}, matchingPrecedence: 1, rules: [everythingBy(groups('system:masters'))]}],
  [
    catchAllName,
    {
      priorityLevelConfiguration: {name: catchAllName},
      matchingPrecedence: 10_000,
      distinguisherMethod: {type: 'ByUser'},
      rules: [everythingBy(groups('system:unauthenticated', 'system:authenticated'))],
    },
  ],
]);

/**
 * Like `mandatoryFlowSchemas`, in `v1beta3`. Operators may change `exempt`, which is written in `v1` only.
 */
export const mandatoryPriorityLevels: ReadonlyMap<string, PriorityLevelSpec> = new Map([
  [exemptName, {type: 'Exempt', exempt: {nominalConcurrencyShares: 0, lendablePercent: 0}}],
  [catchAllName, {type: 'Limited', limited: {nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: {type: 'Reject'}}}],
]);
