import type {OrchProcess} from '../../test/helpers/orch-process.js';
import {inspect} from './inspector.js';
import {SourcePlaces, type CallFrame} from './source-places.js';

/** What one function takes by itself: microseconds, or bytes. */
export interface FunctionShare {
  readonly name: string;
  readonly file: string;
  /** Of its first line; 0 where it is not known. */
  readonly line: number;
  readonly own: number;
}

/** What a server does and allocates for operations of one kind. */
export interface ServerProfile {
  /** Operations of the part in which time was measured, and of that in which allocations were. */
  readonly operations: {readonly time: number; readonly allocation: number};
  /** Microseconds of the thread that runs JavaScript, without those in which it waits. */
  readonly time: readonly FunctionShare[];
  /** Bytes of JavaScript objects, those that are garbage by now among them; estimated from samples. Memory outside of the heap is not among them. */
  readonly allocation: readonly FunctionShare[];
}

interface TimeProfile {
  readonly nodes: readonly {readonly id: number; readonly callFrame: CallFrame}[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface AllocationNode {
  readonly callFrame: CallFrame;
  readonly selfSize: number;
  readonly children: readonly AllocationNode[];
}

/** One sample in so many bytes, and in so many microseconds. */
const bytesBetweenSamples = 4_096;
const microsBetweenSamples = 200;
/** Frames of V8 in which nothing is done. */
const waiting = new Set(['(idle)', '(root)']);

/** Profiles a server that was started with `inspectable`. @param work is done twice: for time, and for allocations; answers how many operations that were */
export function profileOf(server: OrchProcess, work: () => Promise<number>): Promise<ServerProfile> {
  return inspect(server, async ({ask}) => {
    const places = new SourcePlaces();
    await ask('Profiler.enable');
    await ask('Profiler.setSamplingInterval', {interval: microsBetweenSamples});
    await ask('Profiler.start');
    const timed = await work();
    const {profile} = (await ask('Profiler.stop')) as {profile: TimeProfile};
    await ask('Profiler.disable');
    await ask('HeapProfiler.startSampling', {
      samplingInterval: bytesBetweenSamples,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
    const allocating = await work();
    const {profile: allocations} = (await ask('HeapProfiler.stopSampling')) as {profile: {head: AllocationNode}};
    return {
      operations: {time: timed, allocation: allocating},
      time: byFunction(timesOf(profile), places),
      allocation: byFunction(allocationsOf(allocations.head), places),
    };
  });
}

type Own = readonly [frame: CallFrame, own: number];

function timesOf({nodes, samples, timeDeltas}: TimeProfile): Own[] {
  const own = new Map<number, number>();
  for (const [place, id] of samples.entries()) own.set(id, (own.get(id) ?? 0) + timeDeltas[place]!);
  return nodes.flatMap(({id, callFrame}): Own[] => (waiting.has(callFrame.functionName) ? [] : [[callFrame, own.get(id) ?? 0]]));
}

function allocationsOf({callFrame, selfSize, children}: AllocationNode): Own[] {
  return [[callFrame, selfSize], ...children.flatMap(allocationsOf)];
}

function byFunction(owns: readonly Own[], places: SourcePlaces): FunctionShare[] {
  const found = new Map<string, FunctionShare>();
  for (const [frame, own] of owns) {
    if (own === 0) continue;
    const {file, line} = places.of(frame);
    const name = frame.functionName === '' ? '(anonymous)' : frame.functionName;
    const key = `${name} ${file}:${line}`;
    found.set(key, {name, file, line, own: own + (found.get(key)?.own ?? 0)});
  }
  return [...found.values()].toSorted((a, b) => b.own - a.own);
}
