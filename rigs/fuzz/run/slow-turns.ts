import type {FuzzRequest} from '../fuzz-request.js';

/** A slow turn is logged within so many milliseconds. */
export const beatMillis = 60;

/** What the server's log says of a turn of its event loop that took long. */
export interface SlowTurn {
  /** Of processor, in milliseconds. */
  readonly cpuMilliseconds: number;
  readonly method?: string;
  readonly path?: string;
}

/** Whether a turn may have been one of a request: the log names none for what controllers do. It cuts long paths. */
export function isTurnOf({method, path}: SlowTurn, request: FuzzRequest): boolean {
  return path === undefined || (method === request.method && request.path.startsWith(path));
}

/** Milliseconds of processor that a turn may take on a machine of the usual speed. */
export const turnMillis = 100;

/** Slow turns that did not show again, or that no request could be found for: what else the process did, such as collecting garbage. */
export class UnrepeatedTurns {
  #count = 0;
  #longest: SlowTurn | undefined;
  /** Longest turn that showed again, as on a machine of the usual speed. */
  #machines = 0;
  #slowest = 0;

  add(turns: readonly SlowTurn[]): void {
    this.#count += turns.length;
    for (const turn of turns) if (turn.cpuMilliseconds > (this.#longest?.cpuMilliseconds ?? 0)) this.#longest = turn;
  }

  /** Whether a turn was slow because the machine is. @param machine how many times as long as usual it takes for everything now */
  isMachines(turn: SlowTurn, machine: number): boolean {
    if (turn.cpuMilliseconds > turnMillis * machine) return false;
    this.#machines = Math.max(this.#machines, turn.cpuMilliseconds / machine);
    this.#slowest = Math.max(this.#slowest, machine);
    return true;
  }

  get text(): string {
    if (this.#machines === 0) return this.#unrepeatedText;
    return `${this.#unrepeatedText}; this machine takes up to ${this.#slowest.toFixed(1)} times as long as usual, and turns of ${this.#machines.toFixed(0)} ms as on a usual one`;
  }

  get #unrepeatedText(): string {
    if (!this.#longest) return 'no turn took longer than it may';
    const {cpuMilliseconds, method = '', path = 'of no request'} = this.#longest;
    return `${this.#count} slow turns that did not show again, the longest ${cpuMilliseconds} ms: ${method} ${path}`;
  }
}
