import {
  dnsSubdomainFaults,
  FieldPath,
  invalid,
  required,
  strategy,
  tooMany,
  type FieldError,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {invalidFor, isGiven, validateConditions} from '../../../sdk/validation/index.js';
import type {PodGroup, PodGroupTemplateReference} from '../../../sdk/types/unchecked/scheduling/v1alpha2.js';
import {groupFaults, immutableFaults, repeatedNames, shortNameFaults, unionFaults} from './pod-group-faults.js';

const specPath = FieldPath.of('spec');
const referencePath = specPath.child('podGroupTemplateRef');
const statusPath = FieldPath.of('status');
const claimsPath = statusPath.child('resourceClaimStatuses');
const maximumClaims = 4;
const members = [
  'podGroupTemplateRef',
  'schedulingPolicy',
  'schedulingConstraints',
  'resourceClaims',
  'disruptionMode',
  'priorityClassName',
  'priority',
] as const;

/** PodGroup: pods that are scheduled together. It cannot be changed; a scheduler reports in the status. */
@strategy()
export class PodGroupStrategy implements ResourceStrategy<PodGroup> {
  validateCreate({spec = {}}: PodGroup): FieldError[] {
    const {podGroupTemplateRef: reference, ...group} = spec;
    return [...(reference ? referenceFaults(reference) : []), ...groupFaults(group, specPath)];
  }

  validateUpdate(object: PodGroup, old: PodGroup, {subresource}: StrategyContext): FieldError[] {
    return subresource === 'status' ? statusFaults(object) : immutableFaults(object.spec ?? {}, old.spec ?? {}, members, specPath);
  }

  tableCells({spec, status}: PodGroup): Record<string, string> {
    const found = (type: string) => status?.conditions?.find((condition) => condition.type === type);
    const scheduled = found('PodGroupScheduled');
    const state = scheduled === undefined ? 'Pending' : scheduled.status === 'True' ? 'Scheduled' : 'Unschedulable';
    return {
      Policy: spec?.schedulingPolicy?.gang ? 'Gang' : 'Basic',
      Workload: spec?.podGroupTemplateRef?.workload?.workloadName ?? '<none>',
      Status: found('DisruptionTarget')?.reason ?? state,
    };
  }
}

function referenceFaults({workload}: PodGroupTemplateReference): FieldError[] {
  const faults = unionFaults({workload}, referencePath);
  if (!workload) return faults;
  const {workloadName = '', podGroupTemplateName} = workload;
  const at = referencePath.child('workload');
  return [
    ...faults,
    ...(workloadName === ''
      ? [required(at.child('workloadName'))]
      : invalidFor(at.child('workloadName'), workloadName, dnsSubdomainFaults(workloadName))),
    ...shortNameFaults(podGroupTemplateName, at.child('podGroupTemplateName')),
  ];
}

function statusFaults({spec, status}: PodGroup): FieldError[] {
  const statuses = status?.resourceClaimStatuses ?? [];
  const known = new Set((spec?.resourceClaims ?? []).map(({name}) => name));
  const faults = validateConditions(status?.conditions, statusPath.child('conditions'));
  for (const [index, {name}] of statuses.entries())
    if (!known.has(name))
      faults.push(invalid(claimsPath.index(index).child('name'), name ?? '', 'must match the name of an entry in `spec.resourceClaims`'));
  if (statuses.length > maximumClaims) return [...faults, tooMany(claimsPath, statuses.length, maximumClaims)];
  return [
    ...faults,
    ...repeatedNames(statuses, claimsPath),
    ...statuses.flatMap(({resourceClaimName}, index) =>
      isGiven(resourceClaimName)
        ? invalidFor(claimsPath.index(index).child('resourceClaimName'), resourceClaimName, dnsSubdomainFaults(resourceClaimName))
        : [],
    ),
  ];
}
