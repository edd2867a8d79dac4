import {TransientMap} from '../../../sdk/stores/index.js';
import type {LogHead} from './record-codec.js';

/** Maximum bytes of committed values that the log has not delivered yet; beyond it they are read from Redis. */
const maximumBytes = 16 * 1024 * 1024;

/** The values of this server's own commits by the id of the commit, until the log delivers them: they need not be read back. */
export class OwnValues {
  /** Whether the log is followed, so that the values are used. */
  isRead = false;
  readonly #values = new TransientMap<string, Buffer>();
  #bytes = 0;

  add(commit: string, value: Buffer): void {
    this.#values.set(commit, value);
    this.#bytes += value.length;
    for (const oldest of this.#values.keys()) {
      if (this.#bytes <= maximumBytes) break;
      this.take(oldest);
    }
  }

  /** The values of entries of the log by their revisions, which are forgotten then. */
  takeAll(heads: readonly LogHead[]): Map<number, Buffer> {
    const found = new Map<number, Buffer>();
    if (this.#values.size === 0) return found;
    for (const {revision, commit} of heads) {
      const value = this.take(commit);
      if (value !== undefined) found.set(revision, value);
    }
    return found;
  }

  /** The value of a commit, which is forgotten then. */
  take(commit: string): Buffer | undefined {
    const value = this.#values.get(commit);
    if (value === undefined) return undefined;
    this.#values.delete(commit);
    this.#bytes -= value.length;
    return value;
  }
}
