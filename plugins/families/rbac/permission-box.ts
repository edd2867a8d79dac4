import type {SlicedWork} from '../../../sdk/index.js';
import type {HeldRule} from './held-rule.js';
import type {PolicyRule} from './policy-rule.js';

/** The values of an axis that a held rule has: all of them, or those at these positions. */
export type Reach = 'all' | readonly number[];

type Values = readonly (string | undefined)[];

/**
 * The permissions of one rule as a box: each permission is a value of every axis, and the box contains all combinations. For resources, the
 * axes are names, groups, resources and verbs, in this order; for non-resource URLs, paths and verbs. `*` is a value like any other, which
 * only a `*` covers.
 */
export interface PermissionBox {
  readonly axes: readonly Values[];
  /** The part of the box that a held rule has; undefined for none. */
  reaches(held: HeldRule, work: SlicedWork): readonly Reach[] | undefined;
  /** Permissions of the box as a rule: one value of every axis but the last, and some verbs. */
  rule(values: Values, verbs: readonly string[]): PolicyRule;
}

/** The boxes of a rule. A rule without verbs, groups or resources permits nothing. */
export function boxesOf({verbs, apiGroups, resources, resourceNames, nonResourceURLs}: PolicyRule): PermissionBox[] {
  const verbAxis = unique(verbs);
  const nameAxis: Values = resourceNames?.length ? unique(resourceNames) : [undefined];
  const boxes = [resourceBox(nameAxis, unique(apiGroups), unique(resources), verbAxis), pathBox(unique(nonResourceURLs), verbAxis)];
  return boxes.filter(({axes}) => axes.every((values) => values.length > 0));
}

function resourceBox(names: Values, groups: readonly string[], resources: readonly string[], verbs: readonly string[]): PermissionBox {
  return {
    axes: [names, groups, resources, verbs],
    reaches(held, work) {
      const verbReach = reach(verbs, held.verbs, work);
      const groupReach = verbReach && reach(groups, held.groups, work);
      const resourceReach = groupReach && reach(resources, held.resources, work);
      const nameReach = resourceReach && reach(names, (name) => held.hasName(name), work);
      return nameReach && [nameReach, groupReach, resourceReach, verbReach];
    },
    rule: ([name, group, resource], some) => ({
      apiGroups: [group!],
      resources: [resource!],
      ...(name === undefined ? {} : {resourceNames: [name]}),
      verbs: some,
    }),
  };
}

function pathBox(paths: readonly string[], verbs: readonly string[]): PermissionBox {
  return {
    axes: [paths, verbs],
    reaches(held, work) {
      const verbReach = reach(verbs, held.verbs, work);
      const pathReach = verbReach && reach(paths, held.paths, work, held.pathSteps);
      return pathReach && [pathReach, verbReach];
    },
    rule: ([path], some) => ({nonResourceURLs: [path!], verbs: some}),
  };
}

/** Undefined if none of the values is held. */
function reach<T extends string | undefined>(
  values: readonly T[],
  isHeld: (value: T) => boolean,
  work: SlicedWork,
  steps = 1,
): Reach | undefined {
  work.spend(values.length * steps);
  const found: number[] = [];
  for (let index = 0; index < values.length; index += 1) if (isHeld(values[index]!)) found.push(index);
  if (found.length === values.length) return 'all';
  return found.length === 0 ? undefined : found;
}

function unique(values: readonly string[] | null | undefined): readonly string[] {
  return [...new Set(values)];
}
