import type {OrchProcess} from '../../test/helpers/orch-process.js';
import {inspect, type Inspector} from './inspector.js';

/** What a process holds after a garbage collection, in bytes. */
export interface HeapUsage {
  /** JavaScript objects. */
  readonly heap: number;
  /** Buffers and what else lies outside of the heap. */
  readonly external: number;
}

/** Has a server that was started with `inspectable` collect its garbage, and measures what is left. */
export function heapOf(server: OrchProcess): Promise<HeapUsage> {
  return inspect(server, async (inspector) => {
    // What finalizers let go of is collected by the second.
    for (let time = 0; time < 2; time++) await inspector.ask('HeapProfiler.collectGarbage');
    const usage = (await evaluate(inspector, 'process.memoryUsage()')) as Record<'heapUsed' | 'external' | 'arrayBuffers', number>;
    // Buffers in memory that threads could share are in the latter only (`BufferPieces`).
    return {heap: usage.heapUsed, external: Math.max(usage.external, usage.arrayBuffers)};
  });
}

/** The longest time without a break for which the event loop of a server was busy, in milliseconds. */
export interface LongestTurn {
  /** By the clock: others who have the processor meanwhile make it longer. */
  readonly millis: number;
  /** Of the processor. */
  readonly processorMillis: number;
}

/** Has a server that was started with `inspectable` measure for how long its event loop is busy without a break. */
export async function watchTurns(server: OrchProcess): Promise<void> {
  const begin = `(() => {
    const delay = process.getBuiltinModule('node:perf_hooks').monitorEventLoopDelay({resolution: 1});
    const turns = {delay, processorMillis: 0};
    let last = process.threadCpuUsage();
    const look = () => {
      const {user, system} = process.threadCpuUsage(last);
      turns.processorMillis = Math.max(turns.processorMillis, (user + system) / 1000);
      last = process.threadCpuUsage();
    };
    setInterval(look, 1).unref();
    delay.enable();
    globalThis.benchTurns = turns;
  })()`;
  await inspect(server, (inspector) => evaluate(inspector, begin));
}

/** The longest such time since it was asked for last. */
export function longestTurnOf(server: OrchProcess): Promise<LongestTurn> {
  const read = `((turns) => {
    const longest = {millis: Math.max(0, turns.delay.max / 1e6), processorMillis: turns.processorMillis};
    turns.delay.reset();
    turns.processorMillis = 0;
    return longest;
  })(benchTurns)`;
  return inspect(server, async (inspector) => (await evaluate(inspector, read)) as LongestTurn);
}

async function evaluate(inspector: Inspector, expression: string): Promise<unknown> {
  const {result} = (await inspector.ask('Runtime.evaluate', {expression: `JSON.stringify(${expression} ?? null)`})) as {
    result: {value: string};
  };
  return JSON.parse(result.value) as unknown;
}
