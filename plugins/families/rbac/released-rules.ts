import type {FeatureGates} from '../../../sdk/index.js';
import type {PolicyRule} from './policy-rule.js';

/** What default rules depend on. */
export interface Edition {
  /** Of Kubernetes, as in `1.36`. */
  readonly release: string;
  readonly gates: FeatureGates;
}

/** A default rule or role with the releases that have it, the first and the last, and the feature gate that brings it. Without a mark it is always there. */
export interface Released {
  readonly since?: string;
  readonly until?: string;
  readonly gate?: string;
}

export type ReleasedRule = PolicyRule & Released;

export const since = (release: string, ...rules: readonly ReleasedRule[]): ReleasedRule[] =>
  rules.map((rule) => ({...rule, since: release}));
export const until = (release: string, ...rules: readonly ReleasedRule[]): ReleasedRule[] =>
  rules.map((rule) => ({...rule, until: release}));
export const withGate = (gate: string, ...rules: readonly ReleasedRule[]): ReleasedRule[] => rules.map((rule) => ({...rule, gate}));

export function isIn({release, gates}: Edition, {since: first, until: last, gate}: Released): boolean {
  const minor = minorOf(release);
  if (first !== undefined && minor < minorOf(first)) return false;
  if (last !== undefined && minor > minorOf(last)) return false;
  return gate === undefined || gates.enabled(gate);
}

/** The rules of an edition, without marks. */
export function rulesOf(edition: Edition, rules: readonly ReleasedRule[]): PolicyRule[] {
  return rules.filter((rule) => isIn(edition, rule)).map(({since: _first, until: _last, gate: _gate, ...rule}) => rule);
}

function minorOf(release: string): number {
  return Number(release.split('.')[1]);
}
