import process from 'node:process';
import {Worker} from 'node:worker_threads';
import {every} from '../../../sdk/values/every.js';
import {watchLoop, type WatchedLoop} from './watch-loop.js';

/** How often the loop shows that it turns, for limits that are not short. A process with a server wakes up so often anyway. */
const longestBeatMillis = 1000;

/** Where a plugin's code is, to name it. */
export type PluginPlaces = WatchedLoop['plugins'];

export interface LoopGuardOptions {
  /** For how long the loop may stand still, in milliseconds. */
  readonly limitMillis: number;
  /** What the lines are written to: a file, or standard error. */
  readonly logFile: string | undefined;
  /** Whether they are text for a terminal, in place of JSON. */
  readonly asText: boolean;
  readonly plugins: PluginPlaces;
}

const guarded = ['SIGTERM', 'SIGINT'] as const;

/**
 * Ends the process if its event loop stands still: a thread notices that, asks the engine where the code is, writes a line that names it with its plugin, and ends the
 * process with code 1. Half way there it gives signals back to the system, so that SIGTERM ends a process that would never handle it.
 *
 * @returns ends the watch
 */
export function guardLoop({limitMillis, logFile, asText, plugins}: LoopGuardOptions): () => void {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const data: WatchedLoop = {beats, limitMillis, logFile, asText, plugins};
  // The source of a function needs no file of its own, in whatever form the program was built.
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
    // The thread has taken them off while the loop stood still.
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
