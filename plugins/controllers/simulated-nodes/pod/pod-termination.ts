import type {Container} from '../../../../sdk/types/unchecked/core/v1.js';
import {commandSeconds} from '../behaviour/command-words.js';

/** What a container has to end by itself after a hook that took the whole grace period. */
const leastMillis = 2000;

/** How the containers of a deleted pod end. */
export interface Termination {
  /** Milliseconds since 1970. */
  readonly end: number;
  /** They are ended before they have done so by themselves. */
  readonly isForced: boolean;
}

/**
 * When containers end that were asked to at a time: after their hooks, within the grace period.
 *
 * @param killedAt when they were asked, in milliseconds since 1970
 * @param latest the end of the grace period, in the same unit; `NaN` if there is none
 * @param hookMillis how long hooks before the end take
 * @param ownMillis how long containers take after that
 */
export function terminationOf(killedAt: number, latest: number, hookMillis: number, ownMillis: number): Termination {
  const last = Number.isNaN(latest) ? Infinity : Math.max(latest, killedAt);
  const hookEnd = Math.min(killedAt + hookMillis, last);
  const limit = hookMillis > 0 ? Math.max(last, hookEnd + leastMillis) : last;
  const wanted = hookEnd + ownMillis;
  return {end: Math.min(wanted, limit), isForced: wanted > limit};
}

/** How long the `preStop` hooks of containers take in milliseconds, which run at the same time: those that sleep, or run a command that plainly does. Others take no time. */
export function preStopMillis(containers: readonly Container[]): number {
  return Math.max(0, ...containers.map(({lifecycle}) => secondsOf(lifecycle?.preStop) * 1000));
}

type Hook = NonNullable<NonNullable<Container['lifecycle']>['preStop']>;

function secondsOf(hook: Hook | null | undefined): number {
  return Number(hook?.sleep?.seconds ?? commandSeconds(hook?.exec?.command ?? []) ?? 0);
}
