import type {NamingProfile} from '../../../sdk/index.js';
import type {
  FlowSchemaSpec,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from '../../../sdk/types/unchecked/flowcontrol.apiserver/v1beta3.js';
import type {PriorityLevelSpec} from '../../families/flow-control/flow-types.js';
import {everythingBy, groups, mandatoryFlowSchemas, mandatoryPriorityLevels} from '../../families/flow-control/mandatory-objects.js';

/** An object that every server maintains. */
export interface BuiltIn<Spec> {
  readonly name: string;
  readonly spec: Spec;
  /** Always restored. Suggested objects are left alone once they have been changed. */
  readonly mandatory: boolean;
}

/** The priority levels of release 1.26, with the fields of `v1beta3`. */
export const builtInPriorityLevels: readonly BuiltIn<PriorityLevelSpec>[] = [
  ...mandatory(mandatoryPriorityLevels),
  suggestedLevel('system', 30, 33, 64),
  suggestedLevel('node-high', 40, 25, 64),
  suggestedLevel('leader-election', 10, 0, 16, 4),
  suggestedLevel('workload-high', 40, 50, 128),
  suggestedLevel('workload-low', 100, 90, 128),
  suggestedLevel('global-default', 20, 50, 128),
];

function suggestedLevel(name: string, shares: number, lendablePercent: number, queues: number, handSize = 6): BuiltIn<PriorityLevelSpec> {
  const limitResponse = {type: 'Queue', queuing: {queues, handSize, queueLengthLimit: 50}};
  return {name, mandatory: false, spec: {type: 'Limited', limited: {nominalConcurrencyShares: shares, lendablePercent, limitResponse}}};
}

/** The flow schemas of release 1.26 under a naming profile. */
export function builtInFlowSchemas(naming: NamingProfile): readonly BuiltIn<FlowSchemaSpec>[] {
  const {systemNamespace} = naming;
  const leases = naming.group('coordination.orch');
  const everybody = groups('system:unauthenticated', 'system:authenticated');
  const nodes = groups('system:nodes');
  const accounts = (...names: string[]): Subject[] =>
    names.map((name) => ({kind: 'ServiceAccount', serviceAccount: {namespace: systemNamespace, name}}));
  const probes: PolicyRulesWithSubjects = {
    subjects: everybody,
    nonResourceRules: [{verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez']}],
  };
  const elect = (group: string, ...resources: string[]) => namespaced(['get', 'create', 'update'], group, resources);
  return [
    ...mandatory(mandatoryFlowSchemas),
    suggestedSchema('probes', 'exempt', 2, undefined, probes),
    suggestedSchema('system-leader-election', 'leader-election', 100, 'ByUser', {
      subjects: [...users('system:kube-controller-manager', 'system:kube-scheduler'), ...accounts('*')],
      resourceRules: [elect(leases, 'leases')],
    }),
    suggestedSchema('endpoint-controller', 'workload-high', 150, 'ByUser', {
      subjects: [...users('system:kube-controller-manager'), ...accounts('endpoint-controller', 'endpointslicemirroring-controller')],
      resourceRules: [elect('', 'endpoints')],
    }),
    suggestedSchema('workload-leader-election', 'leader-election', 200, 'ByUser', {
      subjects: accounts('*'),
      resourceRules: [elect('', 'endpoints', 'configmaps'), elect(leases, 'leases')],
    }),
    suggestedSchema('system-node-high', 'node-high', 400, 'ByUser', {
      subjects: nodes,
      resourceRules: [{...namespaced(['*'], '', ['nodes', 'nodes/status']), clusterScope: true}, namespaced(['*'], leases, ['leases'])],
    }),
    suggestedSchema('system-nodes', 'system', 500, 'ByUser', everythingBy(nodes)),
    suggestedSchema('kube-controller-manager', 'workload-high', 800, 'ByNamespace', everythingBy(users('system:kube-controller-manager'))),
    suggestedSchema('kube-scheduler', 'workload-high', 800, 'ByNamespace', everythingBy(users('system:kube-scheduler'))),
    suggestedSchema(`${systemNamespace}-service-accounts`, 'workload-high', 900, 'ByNamespace', everythingBy(accounts('*'))),
    suggestedSchema('service-accounts', 'workload-low', 9000, 'ByUser', everythingBy(groups('system:serviceaccounts'))),
    suggestedSchema('global-default', 'global-default', 9900, 'ByUser', everythingBy(everybody)),
  ];
}

function suggestedSchema(
  name: string,
  level: string,
  matchingPrecedence: number,
  distinguisher: 'ByUser' | 'ByNamespace' | undefined,
  rule: PolicyRulesWithSubjects,
): BuiltIn<FlowSchemaSpec> {
  return {
    name,
    mandatory: false,
    spec: {
      priorityLevelConfiguration: {name: level},
      matchingPrecedence,
      ...(distinguisher && {distinguisherMethod: {type: distinguisher}}),
      rules: [rule],
    },
  };
}

function users(...names: string[]): Subject[] {
  return names.map((name) => ({kind: 'User', user: {name}}));
}

function namespaced(verbs: string[], group: string, resources: string[]): ResourcePolicyRule {
  return {verbs, apiGroups: [group], resources, namespaces: ['*']};
}

function mandatory<Spec>(specs: ReadonlyMap<string, Spec>): BuiltIn<Spec>[] {
  return [...specs].map(([name, spec]) => ({name, spec, mandatory: true}));
}
