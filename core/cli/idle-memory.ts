import process from 'node:process';
import {every} from '../../sdk/index.js';

/** What is known of a process, and what can be done about its memory. */
export interface ProcessMeter {
  /** Share of the time since the last call in which the event loop had work, 0 to 1. */
  busyShare(): number;
  /** Resident memory in bytes. */
  resident(): number;
  /** Collects all garbage and gives the memory that is free then back to the system. */
  collect(): void;
}

const mebibyte = 1024 * 1024;
/** For so long there has to be next to nothing to do: the collection stops the process for about a tenth of a second. */
const lookMillis = 5000;
const quietShare = 0.05;
/** Less is not worth it. */
const worthwhileBytes = 64 * mebibyte;
/** Beyond this a collection takes too long for a client that comes just then. */
const largestBytes = 1024 * mebibyte;

/**
 * Gives memory back that a process took for a while, its start included, and does not need any more (docs/decisions/0027). V8 does not look at its heap again before
 * there is new work: after a burst an idle server would stay as large as the burst made it.
 */
export class IdleMemory {
  readonly #meter: ProcessMeter;
  /** Bytes that were left by the last collection. What a start leaves over is looked at too. */
  #kept = 0;
  #stopLooking: () => void = () => undefined;

  constructor(meter: ProcessMeter) {
    this.#meter = meter;
  }

  /** Looks every five seconds from now on. */
  start(): void {
    this.#meter.busyShare();
    this.#stopLooking = every(lookMillis, () => this.look());
  }

  stop(): void {
    this.#stopLooking();
  }

  /** One look: collects when the process has been idle since the last one and holds much more than it once needed. */
  look(): void {
    if (this.#meter.busyShare() > quietShare) return;
    const resident = this.#meter.resident();
    if (resident > largestBytes || resident < Math.max(this.#kept + worthwhileBytes, this.#kept * 1.25)) return;
    this.#meter.collect();
    // What is left is needed: only what comes on top of it is looked at again.
    this.#kept = this.#meter.resident();
  }
}

/** The process that this runs in. */
export function ownProcess(): ProcessMeter {
  let last = performance.eventLoopUtilization();
  let collect: (() => void) | undefined;
  return {
    busyShare() {
      const now = performance.eventLoopUtilization();
      const {utilization} = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    resident: () => process.memoryUsage.rss(),
    collect: () => (collect ??= collector())(),
  };
}

/** V8's own collection, which is there only for those who ask. */
function collector(): () => void {
  const v8 = process.getBuiltinModule('node:v8');
  const vm = process.getBuiltinModule('node:vm');
  v8.setFlagsFromString('--expose-gc');
  const gc = vm.runInNewContext('gc') as (options: {type: string; flavor: string}) => void;
  v8.setFlagsFromString('--no-expose-gc');
  // The ordinary flavour leaves the pages in V8's pool.
  return () => gc({type: 'major', flavor: 'last-resort'});
}
