import type {FlowControlConfiguration, FlowRule, FlowSchemaDefinition, PriorityLevelDefinition} from '../../../sdk/index.js';

/** Names of the mandatory levels and schemas. */
const exempt = 'exempt';
export const catchAll = 'catch-all';

const everything = {
  resourceRules: [{verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*']}],
  nonResourceRules: [{verbs: ['*'], nonResourceURLs: ['*']}],
};

function everythingBy(...groups: string[]): FlowRule {
  return {subjects: groups.map((name) => ({kind: 'Group', name})), ...everything};
}

const mandatorySchemas: readonly FlowSchemaDefinition[] = [
  {name: exempt, priorityLevel: exempt, matchingPrecedence: 1, rules: [everythingBy('system:masters')]},
  {
    name: catchAll,
    priorityLevel: catchAll,
    matchingPrecedence: 10_000,
    distinguisher: 'ByUser',
    rules: [everythingBy('system:unauthenticated', 'system:authenticated')],
  },
];

const mandatoryLevels: readonly PriorityLevelDefinition[] = [
  {name: exempt},
  {name: catchAll, limited: {nominalConcurrencyShares: 5, lendablePercent: 0}},
];

/** In force until something is configured. */
export const mandatoryConfiguration: FlowControlConfiguration = {flowSchemas: mandatorySchemas, priorityLevels: mandatoryLevels};

/** Adds the mandatory levels and schemas that are missing, and drops schemas whose level does not exist. */
export function completed({flowSchemas, priorityLevels}: FlowControlConfiguration): FlowControlConfiguration {
  const levels = [...priorityLevels, ...missing(mandatoryLevels, priorityLevels)];
  const names = new Set(levels.map(({name}) => name));
  const schemas = flowSchemas.filter(({priorityLevel}) => names.has(priorityLevel));
  return {priorityLevels: levels, flowSchemas: [...schemas, ...missing(mandatorySchemas, schemas)]};
}

function missing<T extends {readonly name: string}>(wanted: readonly T[], there: readonly T[]): T[] {
  return wanted.filter(({name}) => there.every((other) => other.name !== name));
}
