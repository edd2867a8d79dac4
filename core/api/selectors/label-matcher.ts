import {fulfils, labelInteger, type LabelRequirement, type Labels} from './label-requirement.js';

/** Up to this many requirements and values are tested one by one; above that, grouping them by label is cheaper. */
const few = 8;

/** Whether labels meet all requirements. */
export type LabelMatcher = (labels: Labels) => boolean;

/** All conditions on one label. */
interface Demand {
  isPresent: boolean;
  isAbsent: boolean;
  allowed: ReadonlySet<string> | undefined;
  excluded: Set<string> | undefined;
  /** Exclusive bounds of the value, an integer; undefined without one. */
  above: bigint | undefined;
  below: bigint | undefined;
  /** No value meets the conditions. */
  isImpossible: boolean;
}

/**
 * Creates a test of labels. If there are many requirements, its cost depends on the number of labels, not of requirements: a selector of a
 * megabyte is tested on each object of a collection.
 */
export function labelMatcher(requirements: readonly LabelRequirement[]): LabelMatcher {
  if (requirements.reduce((sum, {values}) => sum + 1 + values.length, 0) <= 2 * few) {
    return (labels) => {
      for (const requirement of requirements) if (!fulfils(labels, requirement)) return false;
      return true;
    };
  }
  const demands = new Map<string, Demand>();
  for (const requirement of requirements) demand(demands, requirement);
  let demanded = 0;
  for (const {isPresent} of demands.values()) if (isPresent) demanded += 1;
  return (labels) => {
    let found = 0;
    for (const key in labels) {
      const value: unknown = labels[key];
      const wanted = demands.get(key);
      if (!wanted || typeof value !== 'string') continue;
      if (!meets(value, wanted)) return false;
      if (wanted.isPresent) found += 1;
    }
    return found === demanded;
  };
}

function demand(demands: Map<string, Demand>, {key, operator, values}: LabelRequirement): void {
  let wanted = demands.get(key);
  if (!wanted) {
    const nothing = {allowed: undefined, excluded: undefined, above: undefined, below: undefined};
    demands.set(key, (wanted = {isPresent: false, isAbsent: false, isImpossible: false, ...nothing}));
  }
  switch (operator) {
    case '!':
      wanted.isAbsent = true;
      return;
    case '!=':
    case 'notin':
      wanted.excluded ??= new Set();
      for (const value of values) wanted.excluded.add(value);
      return;
    case 'exists':
      break;
    case 'gt':
    case 'lt':
      bound(wanted, operator, labelInteger(values[0]!));
      break;
    default: {
      const {allowed} = wanted;
      wanted.allowed = new Set(allowed ? values.filter((value) => allowed.has(value)) : values);
    }
  }
  wanted.isPresent = true;
}

function bound(wanted: Demand, operator: 'gt' | 'lt', limit: bigint | undefined): void {
  if (limit === undefined) wanted.isImpossible = true;
  else if (operator === 'gt') wanted.above = wanted.above === undefined || limit > wanted.above ? limit : wanted.above;
  else wanted.below = wanted.below === undefined || limit < wanted.below ? limit : wanted.below;
}

function meets(value: string, {isAbsent, isImpossible, allowed, excluded, above, below}: Demand): boolean {
  if (isAbsent || isImpossible || excluded?.has(value) || allowed?.has(value) === false) return false;
  if (above === undefined && below === undefined) return true;
  const integer = labelInteger(value);
  return integer !== undefined && (above === undefined || integer > above) && (below === undefined || integer < below);
}
