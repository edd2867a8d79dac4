import type {PolicyRule} from '../../families/rbac/policy-rule.js';
import type {SlicedWork} from '../../../sdk/index.js';
import {compileSelector} from '../../../sdk/labels/index.js';
import type {RoleObject} from './rbac-objects.js';

/**
 * The rules of an aggregated cluster role: those of the roles that its selectors match, sorted by role name, without duplicates. Undefined
 * for a role that is not aggregated.
 */
export function aggregatedRules(role: RoleObject, all: Iterable<RoleObject>): PolicyRule[] | undefined {
  const aggregation = aggregate(role, all);
  for (;;) {
    const {done, value} = aggregation.next();
    if (done) return value;
  }
}

/** As `aggregatedRules`, in slices: who writes a role decides how many selectors are compared with all others. @throws WorkExceeded */
export async function aggregatedRulesInSlices(
  role: RoleObject,
  all: Iterable<RoleObject>,
  work: SlicedWork,
): Promise<PolicyRule[] | undefined> {
  const aggregation = aggregate(role, all);
  for (;;) {
    const {done, value} = aggregation.next();
    if (done) return value;
    work.spend(value);
    const turn = work.yieldIfDue();
    if (turn) await turn;
  }
}

/** Selectors that are compared between two looks at the clock. */
const comparedAtOnce = 1000;

/** Yields the steps that were done since it yielded last. */
function* aggregate(role: RoleObject, all: Iterable<RoleObject>): Generator<number, PolicyRule[] | undefined> {
  const selectors = role.aggregationRule?.clusterRoleSelectors;
  if (!selectors) return undefined;
  const matchers = selectors.map(compileSelector);
  yield selectors.length;
  const sources: RoleObject[] = [];
  for (const source of [...all]) {
    const {name, labels} = source.metadata;
    if (name === role.metadata.name) continue;
    let isMatched = false;
    for (let first = 0; first < matchers.length && !isMatched; first += comparedAtOnce) {
      isMatched = matchers.slice(first, first + comparedAtOnce).some((matches) => matches(labels));
      yield Math.min(comparedAtOnce, matchers.length - first);
    }
    if (isMatched) sources.push(source);
  }
  sources.sort((a, b) => (a.metadata.name! < b.metadata.name! ? -1 : 1));
  const rules: PolicyRule[] = [];
  const known = new Set<string>();
  for (const source of sources) {
    for (const rule of source.rules ?? []) {
      const key = ruleKey(rule);
      yield 1 + key.length / 16;
      if (known.has(key)) continue;
      known.add(key);
      rules.push(rule);
    }
  }
  return rules;
}

/** Equal for equivalent rules: an absent part is equivalent to an empty one. */
function ruleKey({verbs, apiGroups, resources, resourceNames, nonResourceURLs}: PolicyRule): string {
  return JSON.stringify([verbs ?? [], apiGroups ?? [], resources ?? [], resourceNames ?? [], nonResourceURLs ?? []]);
}
