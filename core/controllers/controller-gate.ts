import {serviceUnavailable, type CommitGuard} from '../../sdk/index.js';
import type {WriteGuard} from '../storage/write/write-guard.js';

/** What a running instance may rely on: nothing, or that it leads. */
export interface Permit {
  /** Whether it may still write while it stops: nobody takes its place, so it may leave things in order. */
  readonly whileStopping?: boolean;
  /** What a write of the type depends on; undefined where any server may write. @throws StatusError */
  guard(type: string, key: string): CommitGuard | undefined;
  /** Called when the store has refused a write because of that: somebody else leads, or the store has lost what says who does. */
  refused?(): void;
}

/**
 * Between one instance of a controller and the registry: what it writes after its time is refused, wherever the instance still has its client.
 */
export class ControllerGate implements WriteGuard {
  #permit: Permit | undefined;
  #closed = false;

  open(permit: Permit): void {
    this.#permit = permit;
  }

  close(): void {
    this.#closed = true;
  }

  /** Whether it may be written through. */
  get isOpen(): boolean {
    return !this.#closed && this.#permit !== undefined;
  }

  of(type: string, key: string): CommitGuard | undefined {
    if (this.#closed || !this.#permit) throw serviceUnavailable('nothing was written: the controller does not run, or no longer', 1);
    return this.#permit.guard(type, key);
  }

  refused(): void {
    if (!this.#closed) this.#permit?.refused?.();
  }
}
