import type {FeatureGateLifetime} from '../../../sdk/index.js';
import {faultsOfAll, type LifetimeFault, type LifetimeRule} from './lifetime-fault.js';
import {areOrdered, compareReleases, promiseRelease, releaseAfter} from './releases.js';

/** A feature gate with its lifetime, as a manifest or the platform declares it. */
export interface GateWithLifetime {
  readonly name: string;
  readonly stage: 'alpha' | 'beta' | 'stable';
  readonly lifetime?: FeatureGateLifetime | undefined;
}

/**
 * How long a gate stays after its feature becomes stable, and after a beta feature is abandoned
 * (docs/semantics/deprecation.md#flags-commands-gates-and-metrics).
 */
const afterStable = {months: 6, releases: 2} as const;
const afterBeta = {months: 3, releases: 1} as const;

/**
 * Lifetime errors of feature gates: a stage that the lifetime does not support, removal too early, or a gate that exists although it was
 * removed.
 */
export function gateLifetimeFaults(
  present: readonly GateWithLifetime[],
  removed: readonly GateWithLifetime[],
  release = promiseRelease,
): LifetimeFault[] {
  return faultsOfAll(present, removed, subjectOf, (gate, gone) => faultsOf(gate, gone, release));
}

function faultsOf(gate: GateWithLifetime, gone: boolean, release: string): LifetimeFault[] {
  const {lifetime, stage} = gate;
  if (lifetime === undefined) return [];
  const subject = subjectOf(gate.name);
  const {introduced, beta, stable, deprecated, removed} = lifetime;
  const faults: LifetimeFault[] = [];
  const add = (rule: LifetimeRule, text: string) => faults.push({rule, subject, text});
  const reached = (start: string | undefined) => start !== undefined && compareReleases(start, release) <= 0;

  if (!areOrdered([introduced, beta, stable, deprecated, removed]))
    add('order', 'a gate is introduced first, then becomes beta, then stable, and is removed last');
  if (!reached(introduced)) add('order', `it is introduced in ${introduced}, and this is release ${release}`);
  const reachedStage = reached(stable) ? 'stable' : reached(beta) ? 'beta' : 'alpha';
  if (reachedStage !== stage) add('stage', `by its lifetime it is ${reachedStage} in release ${release}, and it says ${stage}`);
  if (removed === undefined) {
    if (gone) add('order', 'it is gone, and no release is named that removed it');
    return faults;
  }
  const earliest = earliestRemoval(lifetime);
  if (earliest === undefined)
    add('removed-early', `a beta feature is deprecated before its gate is removed, and it would be removed in ${removed}`);
  else if (compareReleases(removed, earliest.release) < 0)
    add('removed-early', `${earliest.why} stays until ${earliest.release}, and it would be removed in ${removed}`);
  if (gone && !reached(removed)) add('removed-early', `it is gone, and it is to be removed in ${removed} only`);
  if (!gone && reached(removed)) add('still-there', `it was to be removed in ${removed}`);
  return faults;
}

/** The first release that may drop a gate; undefined if its deprecation is missing. */
function earliestRemoval({introduced, beta, stable, deprecated}: FeatureGateLifetime): {release: string; why: string} | undefined {
  if (stable !== undefined) return {release: releaseAfter(stable, afterStable), why: `the gate of a feature that is stable in ${stable}`};
  if (beta === undefined) return {release: introduced, why: 'an alpha gate'};
  return deprecated === undefined
    ? undefined
    : {release: releaseAfter(deprecated, afterBeta), why: `the gate of a beta feature that is given up in ${deprecated}`};
}

function subjectOf(name: string): string {
  return `the feature gate ${name}`;
}
