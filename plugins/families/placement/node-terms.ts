import type {NodeSelectorRequirement, NodeSelectorTerm, PodSpec} from '../../../sdk/types/unchecked/core/v1.js';

/** What selectors ask of a node. */
export interface NamedLabels {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

export type NodePredicate = (node: NamedLabels) => boolean;

const fieldName = 'metadata.name';

/** Whether a term selects a node; one without requirements selects none. */
export function termPredicate({matchExpressions, matchFields}: NodeSelectorTerm): NodePredicate {
  const expressions = matchExpressions ?? [];
  const fields = matchFields ?? [];
  if (expressions.length === 0 && fields.length === 0) return () => false;
  return ({name, labels}) =>
    expressions.every((each) => fulfils(each, Object.hasOwn(labels, each.key ?? '') ? labels[each.key ?? ''] : undefined)) &&
    fields.every((each) => each.key === fieldName && fulfils(each, name));
}

/** Whether one of the terms selects a node; without terms, none does. */
export function termsPredicate(terms: readonly NodeSelectorTerm[] | null | undefined): NodePredicate {
  const all = (terms ?? []).map(termPredicate);
  return (node) => all.some((each) => each(node));
}

function fulfils({operator, values}: NodeSelectorRequirement, value: string | undefined): boolean {
  const wanted = values ?? [];
  switch (operator) {
    case 'In':
      return value !== undefined && wanted.includes(value);
    case 'NotIn':
      return value === undefined || !wanted.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
    case 'Lt':
      return value !== undefined && isBeyond(operator, value, wanted[0] ?? '');
    default:
      return false;
  }
}

const integer = /^[+-]?\d+$/;

function isBeyond(operator: string, value: string, limit: string): boolean {
  if (!integer.test(value) || !integer.test(limit)) return false;
  return operator === 'Gt' ? BigInt(value) > BigInt(limit) : BigInt(value) < BigInt(limit);
}

/** Where a pod must run. */
export interface NodeRequirements {
  readonly matches: NodePredicate;
  /** Names of nodes that alone come into question; undefined if names do not decide. */
  readonly names: ReadonlySet<string> | undefined;
  /** A preference of nodes: weights and what they are for. */
  readonly preferred: readonly {readonly weight: number; readonly matches: NodePredicate}[];
}

/** What a pod requires of nodes by `nodeSelector` and affinity. Undefined if that is nothing, and nothing is preferred. */
export function nodeRequirements({nodeSelector, affinity}: PodSpec): NodeRequirements | undefined {
  const {requiredDuringSchedulingIgnoredDuringExecution: required, preferredDuringSchedulingIgnoredDuringExecution: preferences} =
    affinity?.nodeAffinity ?? {};
  const selected = Object.entries(nodeSelector ?? {});
  if (selected.length === 0 && !required && !preferences?.length) return undefined;
  const terms = required ? termsPredicate(required.nodeSelectorTerms) : undefined;
  return {
    matches: (node) =>
      selected.every(([key, value]) => Object.hasOwn(node.labels, key) && node.labels[key] === value) && (!terms || terms(node)),
    names: required ? namesOf(required.nodeSelectorTerms ?? []) : undefined,
    preferred: (preferences ?? [])
      .filter(({weight}) => weight)
      .map(({weight = 0, preference}) => ({weight, matches: termPredicate(preference ?? {})})),
  };
}

/** The names that all terms are limited to; empty if they contradict themselves. */
function namesOf(terms: readonly NodeSelectorTerm[]): ReadonlySet<string> | undefined {
  const all = new Set<string>();
  for (const {matchFields} of terms) {
    let own: Set<string> | undefined;
    for (const {key, operator, values} of matchFields ?? []) {
      if (key !== fieldName || operator !== 'In') continue;
      const given = new Set(values ?? []);
      own = own ? new Set([...own].filter((name) => given.has(name))) : given;
    }
    if (!own) return undefined;
    for (const name of own) all.add(name);
  }
  return terms.length === 0 ? undefined : all;
}
