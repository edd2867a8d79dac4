import type {CommitGuard} from '../../../sdk/index.js';

/** What a write depends on besides the object that it changes: whoever writes must still be the one who may. */
export interface WriteGuard {
  /**
   * What must hold when a change of a record is committed, if anything; called just before.
   *
   * @throws StatusError when it is clear already that the change must not be made
   */
  of(type: string, key: string): CommitGuard | undefined;
  /** Called when the store has refused a change because of it. */
  refused?(): void;
}
