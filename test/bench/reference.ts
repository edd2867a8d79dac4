import type {WorkName} from './work.js';

/** What is known of one kind of work from elsewhere (design §10): a 2-core machine, 16 connections, TLS, 5,000 objects of 1 KB. */
export interface Reference {
  /** CPU seconds of all server processes per 1,000 operations (for the watch: per 1,000 events delivered) that Orch should need at most; no goal when absent. */
  readonly goalCpu?: number;
  readonly goalP99Millis?: number;
  /** The established server of release 1.26 with its database: operations per second and CPU seconds per 1,000. */
  readonly establishedRate: number;
  readonly establishedCpu: number;
}

export const references: Readonly<Record<WorkName, Reference>> = {
  create: {goalCpu: 0.3, establishedRate: 950, establishedCpu: 1.67},
  get: {goalCpu: 0.08, establishedRate: 2_220, establishedCpu: 0.68},
  'get at version 0': {goalCpu: 0.07, establishedRate: 3_670, establishedCpu: 0.34},
  'list of 500': {goalCpu: 1.0, establishedRate: 76, establishedCpu: 18.8},
  'paging by 500': {goalCpu: 11, establishedRate: 6.6, establishedCpu: 170},
  'list by label': {goalCpu: 1.2, establishedRate: 95, establishedCpu: 14.6},
  update: {goalCpu: 0.35, establishedRate: 840, establishedCpu: 1.97},
  'merge patch': {goalCpu: 0.35, establishedRate: 715, establishedCpu: 2.38},
  'watch, full speed': {goalCpu: 0.005, establishedRate: 33_500, establishedCpu: 0.04},
  // 100 updates a second leave nothing to be joined: each event costs a write of its own, on the floor too.
  'watch, bounded rate': {goalP99Millis: 25, establishedRate: 33_500, establishedCpu: 0.04},
  delete: {goalCpu: 0.35, establishedRate: 1_340, establishedCpu: 1.15},
};

/** Start-up and memory: seconds and MB. */
export const referenceFootprint = {goalStartSeconds: 0.5, establishedStartSeconds: 4.5, establishedIdleMegabytes: 330, establishedLoadedMegabytes: 800};
