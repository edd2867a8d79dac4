import {
  dnsSubdomainFaults,
  duplicate,
  FieldPath,
  strategy,
  tooMany,
  type FieldError,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {invalidFor} from '../../../sdk/validation/index.js';
import type {PodScheduling} from '../../../sdk/types/unchecked/resource/v1alpha1.js';

const potentialPath = FieldPath.of('spec', 'potentialNodes');
const claimsPath = FieldPath.of('status', 'resourceClaims');
const maximumNodes = 128;

/** PodScheduling, since 1.27 PodSchedulingContext: the nodes that a scheduler considers for a pod, and which of them the drivers of its claims rule out. */
@strategy()
export class PodSchedulingStrategy implements ResourceStrategy<PodScheduling> {
  validateCreate({spec}: PodScheduling): FieldError[] {
    return nodeFaults(spec?.potentialNodes ?? [], potentialPath);
  }

  validateUpdate(object: PodScheduling, _old: PodScheduling, context: StrategyContext): FieldError[] {
    return context.subresource === 'status' ? claimFaults(object.status?.resourceClaims ?? []) : this.validateCreate(object);
  }
}

function claimFaults(claims: NonNullable<NonNullable<PodScheduling['status']>['resourceClaims']>): FieldError[] {
  const seen = new Set<string>();
  return claims.flatMap(({name = '', unsuitableNodes}, index) => {
    const path = claimsPath.index(index);
    const faults = seen.has(name) ? [duplicate(path.child('name'), name)] : [];
    seen.add(name);
    return [...faults, ...nodeFaults(unsuitableNodes ?? [], path.child('unsuitableNodes'))];
  });
}

/** Nodes have names of nodes, are unique and limited in number. */
function nodeFaults(nodes: readonly string[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  const faults: FieldError[] = [];
  for (const [index, node] of nodes.entries()) {
    faults.push(...invalidFor(path.index(index), node, dnsSubdomainFaults(node)));
    if (seen.has(node)) faults.push(duplicate(path.index(index), node));
    seen.add(node);
  }
  if (nodes.length > maximumNodes) faults.push(tooMany(path, nodes.length, maximumNodes));
  return faults;
}
