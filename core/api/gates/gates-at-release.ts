import type {FeatureGateLifetime} from '../../../sdk/index.js';
import {compareReleases} from '../lifetimes/releases.js';
import {gateTable} from './gate-table.js';

type Stage = 'alpha' | 'beta' | 'stable' | 'deprecated';

/** A feature gate in a release. */
export interface GateAtRelease {
  /** Whether it is on unless somebody sets it. That of a gate which is gone stays what it was last; one that is yet to come is off. */
  readonly enabled: boolean;
  /** `locked`: it cannot be set to anything else. `unknown`: the release does not have it. */
  readonly setting: 'free' | 'locked' | 'unknown';
  /** `gone`: the release has it no more, and what it stood for is as it was last. Undefined for one that is yet to come. */
  readonly stage?: Stage | 'gone';
}

interface Step {
  readonly since: string;
  readonly stage: Stage | 'gone';
  readonly enabled: boolean;
  readonly locked: boolean;
}

/** All feature gates of Kubernetes, by name, in a release: also those that it does not have, for code that asks for them. */
export function gatesAtRelease(release: string): ReadonlyMap<string, GateAtRelease> {
  return new Map(Object.entries(gateTable).map(([name, text]) => [name, gateAt(stepsOf(text), release)]));
}

function gateAt(steps: readonly Step[], release: string): GateAtRelease {
  const past = stepsUntil(steps, release);
  const last = past.at(-1);
  if (last?.stage === 'gone') return {enabled: past.at(-2)?.enabled ?? false, setting: 'unknown', stage: 'gone'};
  if (last === undefined) return {enabled: false, setting: 'unknown'};
  return {enabled: last.enabled, setting: last.locked ? 'locked' : 'free', stage: last.stage};
}

/** A gate of a release with its lifetime so far. `stage` of one that is gone is its last. */
export interface RecordedGate {
  readonly name: string;
  readonly stage: 'alpha' | 'beta' | 'stable';
  readonly lifetime: FeatureGateLifetime;
}

/** The gates that a release has, and those that it has no more. */
export function recordedGates(release: string): {readonly present: readonly RecordedGate[]; readonly removed: readonly RecordedGate[]} {
  const recorded = Object.entries(gateTable).flatMap(([name, text]): RecordedGate[] => {
    const steps = stepsUntil(stepsOf(text), release);
    const [first] = steps;
    if (first === undefined) return [];
    const since = (stage: Step['stage']) => steps.find((step) => step.stage === stage)?.since;
    const [beta, stable, deprecated, removed] = [since('beta'), since('stable'), since('deprecated'), since('gone')];
    const stage = stable !== undefined ? 'stable' : beta !== undefined ? 'beta' : 'alpha';
    const later = Object.entries({beta, stable, deprecated, removed}).filter(([, value]) => value !== undefined);
    return [{name, stage, lifetime: {introduced: first.since, ...Object.fromEntries(later)}}];
  });
  return {
    present: recorded.filter(({lifetime}) => lifetime.removed === undefined),
    removed: recorded.filter(({lifetime}) => lifetime.removed !== undefined),
  };
}

function stepsUntil(steps: readonly Step[], release: string): readonly Step[] {
  return steps.filter(({since}) => compareReleases(since, release) <= 0);
}

function stepsOf(text: string): readonly Step[] {
  return text.split(', ').map((step) => {
    const [since, stage, value, locked] = step.split(' ') as [string, Step['stage'], string?, string?];
    return {since, stage, enabled: value === 'on', locked: locked === 'locked'};
  });
}
