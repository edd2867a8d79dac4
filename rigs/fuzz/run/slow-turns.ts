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

/** Slow turns that did not show again, or that no request could be found for: what else the process did, such as collecting garbage. */
export class UnrepeatedTurns {
  #count = 0;
  #longest: SlowTurn | undefined;

  add(turns: readonly SlowTurn[]): void {
    this.#count += turns.length;
    for (const turn of turns) if (turn.cpuMilliseconds > (this.#longest?.cpuMilliseconds ?? 0)) this.#longest = turn;
  }

  get text(): string {
    if (!this.#longest) return 'no turn took longer than it may';
    const {cpuMilliseconds, method = '', path = 'of no request'} = this.#longest;
    return `${this.#count} slow turns that did not show again, the longest ${cpuMilliseconds} ms: ${method} ${path}`;
  }
}
