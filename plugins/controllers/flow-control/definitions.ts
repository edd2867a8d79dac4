import type {FlowRule, FlowSchemaDefinition, FlowSubject, PriorityLevelDefinition} from '../../../sdk/index.js';
import type {FlowSchema, PolicyRulesWithSubjects, Subject} from '../../../sdk/types/unchecked/flowcontrol.apiserver/v1beta3.js';
import type {PriorityLevelConfiguration} from '../../families/flow-control/flow-types.js';
import {sharesOf} from '../../families/flow-control/shares-field.js';

/** The definition of a flow schema for the server. */
export function flowSchemaDefinition({metadata, spec}: Pick<FlowSchema, 'metadata' | 'spec'>): FlowSchemaDefinition {
  const distinguisher = spec?.distinguisherMethod?.type;
  return {
    name: metadata.name ?? '',
    ...(metadata.uid === undefined ? {} : {uid: metadata.uid}),
    priorityLevel: spec?.priorityLevelConfiguration?.name ?? '',
    matchingPrecedence: spec?.matchingPrecedence ?? 0,
    ...(distinguisher === 'ByUser' || distinguisher === 'ByNamespace' ? {distinguisher} : {}),
    rules: (spec?.rules ?? []).map(flowRule),
  };
}

function flowRule({subjects, resourceRules, nonResourceRules}: PolicyRulesWithSubjects): FlowRule {
  return {
    subjects: (subjects ?? []).flatMap(flowSubject),
    resourceRules: (resourceRules ?? []).map(({verbs, apiGroups, resources, clusterScope, namespaces}) => ({
      verbs: verbs ?? [],
      apiGroups: apiGroups ?? [],
      resources: resources ?? [],
      clusterScope: clusterScope ?? false,
      namespaces: namespaces ?? [],
    })),
    nonResourceRules: (nonResourceRules ?? []).map(({verbs, nonResourceURLs}) => ({
      verbs: verbs ?? [],
      nonResourceURLs: nonResourceURLs ?? [],
    })),
  };
}

function flowSubject({kind, user, group, serviceAccount}: Subject): FlowSubject[] {
  if (kind === 'User' && user) return [{kind, name: user.name ?? ''}];
  if (kind === 'Group' && group) return [{kind, name: group.name ?? ''}];
  if (kind === 'ServiceAccount' && serviceAccount)
    return [{kind, namespace: serviceAccount.namespace ?? '', name: serviceAccount.name ?? ''}];
  return [];
}

function exemptSeats({
  nominalConcurrencyShares,
  lendablePercent,
}: NonNullable<NonNullable<PriorityLevelConfiguration['spec']>['exempt']>): NonNullable<PriorityLevelDefinition['exempt']> {
  return {nominalConcurrencyShares: nominalConcurrencyShares ?? 0, lendablePercent: lendablePercent ?? 0};
}

/** The definition of a priority level for the server. */
export function priorityLevelDefinition({metadata, spec}: Pick<PriorityLevelConfiguration, 'metadata' | 'spec'>): PriorityLevelDefinition {
  const named = {name: metadata.name ?? '', ...(metadata.uid === undefined ? {} : {uid: metadata.uid})};
  const limited = spec?.limited;
  if (!limited) return {...named, ...(spec?.exempt ? {exempt: exemptSeats(spec.exempt)} : {})};
  const {lendablePercent, borrowingLimitPercent, limitResponse} = limited;
  const {queues = 0, handSize = 0, queueLengthLimit = 0} = limitResponse?.queuing ?? {};
  return {
    ...named,
    limited: {
      nominalConcurrencyShares: sharesOf(limited) ?? 0,
      lendablePercent: lendablePercent ?? 0,
      ...(typeof borrowingLimitPercent === 'number' ? {borrowingLimitPercent} : {}),
      ...(limitResponse?.queuing ? {queuing: {queues, handSize, queueLengthLimit}} : {}),
    },
  };
}
