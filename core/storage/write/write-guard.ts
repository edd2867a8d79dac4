import type {CommitGuard} from '../../../sdk/index.js';

/** A condition of a write beyond its object: the writer must still be entitled to it, as a leader is. */
export interface WriteGuard {
  /**
   * The condition for the commit of a record, if any; called just before it.
   *
   * @throws StatusError if the change is already known to be forbidden
   */
  of(type: string, key: string): CommitGuard | undefined;
  /** Called when the store has refused a change because of it. */
  refused?(): void;
}
