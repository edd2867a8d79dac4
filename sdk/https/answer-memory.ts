import {getHeapStatistics} from 'node:v8';

const mebi = 1024 * 1024;
/** So much of every answer is received whatever the others take: most are no larger, and how many there are at once is bounded by whoever asks. */
export const freeBytes = 64 * 1024;

/** What is used where nobody has set anything: the default of `--max-answer-bytes-in-all`. */
function defaultBytes(): number {
  return Math.min(Math.max(getHeapStatistics().heap_size_limit / 16, 16 * mebi), 256 * mebi);
}

interface Waiting {
  readonly bytes: number;
  readonly go: () => void;
}

/**
 * Memory for the answers of called services that are being received or read. An answer of more than `freeBytes` takes what the largest of its kind may
 * have before more of it is read, and waits in turn until there is room: whoever sends it is not read meanwhile. So none fails because of others, and none
 * that is half there waits for another one that is.
 */
export class AnswerMemory {
  #total: number;
  #used = 0;
  #turn: Promise<void> = Promise.resolve();
  readonly #waiting = new Set<Waiting>();

  /** @param total in bytes */
  constructor(total = defaultBytes()) {
    this.#total = total;
  }

  set total(bytes: number) {
    this.#total = bytes;
  }

  get used(): number {
    return this.#used;
  }

  /** Takes memory once there is some; one answer has room however large it is. @returns what gives it back @throws the signal's reason */
  async take(bytes: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#waiting.size > 0 || !this.#hasRoom(bytes)) await this.#wait(bytes, signal);
    else this.#used += bytes;
    return () => {
      this.#used -= bytes;
      for (const next of this.#waiting) {
        if (!this.#hasRoom(next.bytes)) return;
        this.#used += next.bytes;
        this.#waiting.delete(next);
        next.go();
      }
    };
  }

  /** Resolves in a turn of the event loop in which nobody else's does: reading a large answer takes all the time that a turn may. */
  ownTurn(): Promise<void> {
    this.#turn = this.#turn.then(() => new Promise((resolve) => setImmediate(resolve)));
    return this.#turn;
  }

  #hasRoom(bytes: number): boolean {
    return this.#used === 0 || this.#used + bytes <= this.#total;
  }

  #wait(bytes: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.delete(waiting);
        reject(signal.reason as Error);
      };
      const waiting = {
        bytes,
        go: () => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      this.#waiting.add(waiting);
      signal.addEventListener('abort', giveUp, {once: true});
    });
  }
}

/** That of this process: memory is the process's, however many clients and servers there are in it. */
export const answerMemory = new AnswerMemory();
