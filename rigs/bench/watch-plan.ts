import type {WorkName} from './work.js';

export type WatchWorkName = Extract<WorkName, `watch,${string}`>;

/** How a fan-out is measured. */
export interface WatchPlan {
  /** Updates of a full run; a quick one does a fifth. */
  readonly writes: number;
  /** Updates per second; as fast as the server answers when absent. */
  readonly rate?: number;
  /** Watches, where that is not for the command line to say. */
  readonly watchers?: number;
  /** Whether each watch has a label selector that lets a part of the events through. */
  readonly filtered: boolean;
}

export const watchPlans: Readonly<Record<WatchWorkName, WatchPlan>> = {
  'watch, bounded rate': {writes: 500, rate: 100, filtered: false},
  'watch, full speed': {writes: 1_000, filtered: false},
  'watch, filtered': {writes: 2_000, filtered: true},
  // A rate that leaves time between two updates: the delay is that of delivering one event to all.
  'watch, 1,000 watchers': {writes: 100, rate: 10, watchers: 1_000, filtered: false},
};

export function isWatchWork(work: WorkName): work is WatchWorkName {
  return work in watchPlans;
}
