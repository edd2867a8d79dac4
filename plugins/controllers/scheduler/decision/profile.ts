import type {Filter} from '../filters/filter.js';
import type {Score} from '../scores/score.js';

/** What a profile of the settings says. */
export interface ProfileSettings {
  /** `spec.schedulerName` of the pods that it is for. */
  readonly schedulerName: string;
  /** Names of plugins that it goes without; `*` for all. */
  readonly disabled?: readonly string[];
  /** Plugins that it has, by name, with the weight of their scores; 0 for the one by default. */
  readonly enabled?: Readonly<Record<string, number>>;
  /** The share of nodes of which the best is taken, in percent; 0 goes by the number of nodes. */
  readonly percentageOfNodesToScore?: number;
}

/** How pods of one `spec.schedulerName` are placed. */
export interface Profile {
  readonly schedulerName: string;
  readonly filters: readonly Filter[];
  readonly scores: readonly {readonly score: Score; readonly weight: number}[];
  readonly percentageOfNodesToScore: number;
  /** Whether pods of lower priority make room. */
  readonly preempts: boolean;
  readonly hasGates: boolean;
}

/** Everything that profiles choose from, in the order in which it is asked. */
export interface Rules {
  readonly filters: readonly Filter[];
  readonly scores: readonly {readonly score: Score; readonly weight: number}[];
}

const gatesName = 'SchedulingGates';
const preemptionName = 'DefaultPreemption';

/** @throws Error in one sentence for a name that is not known, or one that two profiles have */
export function profilesOf(settings: readonly ProfileSettings[], rules: Rules): Map<string, Profile> {
  const names = new Set([...rules.filters.map(({name}) => name), ...rules.scores.map(({score}) => score.name), gatesName, preemptionName]);
  const profiles = new Map<string, Profile>();
  for (const {schedulerName, disabled = [], enabled = {}, percentageOfNodesToScore = 0} of settings) {
    if (profiles.has(schedulerName)) throw new Error(`two profiles have the schedulerName ${schedulerName}`);
    for (const name of [...disabled, ...Object.keys(enabled)])
      if (!names.has(name) && name !== '*')
        throw new Error(`the profile ${schedulerName} names the plugin ${name}; there are ${[...names].sort().join(', ')}`);
    const has = (name: string) => Object.hasOwn(enabled, name) || !(disabled.includes(name) || disabled.includes('*'));
    profiles.set(schedulerName, {
      schedulerName,
      filters: rules.filters.filter(({name}) => has(name)),
      scores: rules.scores
        .filter(({score}) => has(score.name))
        .map(({score, weight}) => ({score, weight: (Object.hasOwn(enabled, score.name) ? enabled[score.name] : 0) || weight})),
      percentageOfNodesToScore,
      preempts: has(preemptionName),
      hasGates: has(gatesName),
    });
  }
  return profiles;
}
