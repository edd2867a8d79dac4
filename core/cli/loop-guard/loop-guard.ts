import process from 'node:process';
import {Worker} from 'node:worker_threads';
import {every} from '../../../sdk/values/every.js';
import {watchLoop, type WatchedLoop} from './watch-loop.js';

/** Maximum milliseconds between beats of the loop. A process with a server wakes up as often anyway. */
const longestBeatMillis = 1000;

/** Where a plugin's code is, to name it. */
export type PluginPlaces = WatchedLoop['plugins'];

export interface LoopGuardOptions {
  /** How long the loop may be blocked, in milliseconds. */
  readonly limitMillis: number;
  /** Standard error by default. */
  readonly logFile: string | undefined;
  /** Whether they are text for a terminal, in place of JSON. */
  readonly asText: boolean;
  readonly plugins: PluginPlaces;
}

const guarded = ['SIGTERM', 'SIGINT'] as const;

/**
 * Ends the process if its event loop is blocked: a thread notices it, gets the stack from V8, logs the place with its plugin, and ends the process with code 1.
 * After half of the limit it removes the signal handlers, so that SIGTERM ends a process that could not handle it.
 *
 * @returns stops the guard
 */
export function guardLoop({limitMillis, logFile, asText, plugins}: LoopGuardOptions): () => void {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const data: WatchedLoop = {beats, limitMillis, logFile, asText, plugins};
  // From source, so that it needs no file in any form of the build.
  const worker = new Worker(`(${watchLoop.toString()})()`, {
    eval: true,
    workerData: data,
    execArgv: [],
    resourceLimits: {maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16, stackSizeMb: 1},
  });
  // Without the thread the server works as well.
  worker.on('error', () => undefined);
  worker.unref();
  const listeners = new Map(guarded.map((signal) => [signal, [...process.listeners(signal)]]));
  const stopBeat = every(Math.min(longestBeatMillis, limitMillis / 8), () => {
    Atomics.add(beats, 0, 1);
    // The thread removed them while the loop was blocked.
    for (const [signal, own] of listeners) {
      if (process.listenerCount(signal) === 0) for (const listener of own) process.on(signal, listener);
      else listeners.set(signal, [...process.listeners(signal)]);
    }
  });
  return () => {
    stopBeat();
    void worker.terminate();
  };
}
