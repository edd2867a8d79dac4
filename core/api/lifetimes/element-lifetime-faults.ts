import type {ElementDeprecation} from '../../../sdk/index.js';
import {faultsOfAll, type LifetimeFault, type LifetimeRule} from './lifetime-fault.js';
import {compareReleases, promiseRelease, releaseAfter, type Period} from './releases.js';

/** A flag (`--admission-control`) or command (`orch plugins list`). */
export interface CommandLineElement {
  readonly name: string;
  readonly deprecated?: ElementDeprecation | undefined;
}

/** How long a deprecated element keeps working (docs/semantics/deprecation.md#flags-commands-gates-and-metrics). */
const periods: Readonly<Record<ElementDeprecation['audience'], Readonly<Record<ElementDeprecation['stage'], Period>>>> = {
  user: {stable: {months: 12, releases: 2}, beta: {months: 3, releases: 1}, alpha: {months: 0, releases: 0}},
  admin: {stable: {months: 6, releases: 1}, beta: {months: 3, releases: 1}, alpha: {months: 0, releases: 0}},
};

/** The first release that may drop a deprecated element. */
export function earliestRemoval({since, audience, stage}: ElementDeprecation): string {
  return releaseAfter(since, periods[audience][stage]);
}

/**
 * Lifetime errors of flags and commands: removed (or scheduled for removal) too early, still present after their removal, or listed as
 * removed although they work.
 */
export function elementLifetimeFaults(
  present: readonly CommandLineElement[],
  removed: readonly CommandLineElement[],
  release = promiseRelease,
): LifetimeFault[] {
  return faultsOfAll(
    present,
    removed,
    (name) => name,
    ({name, deprecated}, gone) => {
      if (gone && deprecated?.removal === undefined)
        return [{rule: 'order', subject: name, text: 'it is gone, and no release is named that removed it'}];
      return deprecated === undefined ? [] : faultsOf(name, deprecated, gone, release);
    },
  );
}

function faultsOf(subject: string, deprecated: ElementDeprecation, gone: boolean, release: string): LifetimeFault[] {
  const {since, removal, audience, stage} = deprecated;
  const faults: LifetimeFault[] = [];
  const add = (rule: LifetimeRule, text: string) => faults.push({rule, subject, text});
  if (compareReleases(since, release) > 0) add('order', `it is deprecated in ${since}, and this is release ${release}`);
  if (removal === undefined) return faults;
  const earliest = earliestRemoval(deprecated);
  if (compareReleases(removal, earliest) < 0) {
    add(
      'removed-early',
      `what is ${stage} and for ${audience === 'user' ? 'users' : 'administrators'} and deprecated in ${since} works until ${earliest}, and it would be removed in ${removal}`,
    );
  }
  if (gone && compareReleases(removal, release) > 0) add('removed-early', `it is gone, and it is to be removed in ${removal} only`);
  if (!gone && compareReleases(removal, release) <= 0) add('still-there', `it was to be removed in ${removal}`);
  return faults;
}
