import {serviceUnavailable, type CommitGuard} from '../../sdk/index.js';
import type {WriteGuard} from '../storage/write/write-guard.js';

/** The right of a running instance to write, which may depend on its leadership. */
export interface Permit {
  /** Whether it may still write while it stops, to clean up: no other instance takes its place. */
  readonly whileStopping?: boolean;
  /** The condition of a write of the type; undefined if any server may write. @throws StatusError */
  guard(type: string, key: string): CommitGuard | undefined;
  /** Called when the store has refused a write because of that: another server leads, or the store has lost the record of the leader. */
  refused?(): void;
}

/**
 * Between one instance of a controller and the registry: refuses its writes once it has ended, even where its client is still in use.
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
