import type {WorkName} from './work.js';

/** What is known of one kind of work from elsewhere (design §10): a 2-core machine, 16 connections, TLS, 5,000 objects of 1 KB. */
export interface Reference {
  /** CPU seconds of all server processes per 1,000 operations (for the watch: per 1,000 events delivered) that Orch should need at most; no goal when absent. */
  readonly goalCpu?: number;
  readonly goalP99Millis?: number;
  /** The established server of release 1.26 with its database, where it was measured: operations per second and CPU seconds per 1,000. */
  readonly established?: {readonly rate: number; readonly cpu: number};
}

export const references: Readonly<Record<WorkName, Reference>> = {
  create: {goalCpu: 0.3, established: {rate: 950, cpu: 1.67}},
  get: {goalCpu: 0.08, established: {rate: 2_220, cpu: 0.68}},
  'get at version 0': {goalCpu: 0.07, established: {rate: 3_670, cpu: 0.34}},
  'list of 500': {goalCpu: 1.0, established: {rate: 76, cpu: 18.8}},
  'list of 500, gzip': {},
  'paging by 500': {goalCpu: 11, established: {rate: 6.6, cpu: 170}},
  'list by label': {goalCpu: 1.2, established: {rate: 95, cpu: 14.6}},
  update: {goalCpu: 0.35, established: {rate: 840, cpu: 1.97}},
  'merge patch': {goalCpu: 0.35, established: {rate: 715, cpu: 2.38}},
  apply: {goalCpu: 0.4, established: {rate: 750, cpu: 2.35}},
  'watch, full speed': {goalCpu: 0.005, established: {rate: 33_500, cpu: 0.04}},
  // 100 updates a second leave nothing to be joined: each event costs a write of its own, on the floor too.
  'watch, bounded rate': {goalP99Millis: 25, established: {rate: 33_500, cpu: 0.04}},
  'watch, filtered': {},
  'watch, 1,000 watchers': {},
  delete: {goalCpu: 0.35, established: {rate: 1_340, cpu: 1.15}},
};

/** Start-up and memory: seconds and MB. */
export const referenceFootprint = {
  goalStartSeconds: 0.5,
  establishedStartSeconds: 4.5,
  establishedIdleMegabytes: 330,
  establishedLoadedMegabytes: 800,
};
