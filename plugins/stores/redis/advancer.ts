import type {ConfirmedHistory} from './confirmed-history.js';
import type {Link} from './link.js';
import {NextCall} from './next-call.js';
import type {RevisionStride} from './revision-stride.js';
import {scripts} from './script.js';
import type {Session} from './session.js';
import {epochChangedError, type ShardHead} from './shard-head.js';
import type {ShardKeys} from './shard-keys.js';

/** Maximum attempts while the history keeps being replaced. */
const attempts = 3;

export interface AdvancerOptions {
  readonly link: Link;
  readonly keys: ShardKeys;
  readonly head: ShardHead;
  readonly stride: RevisionStride;
  /** Undefined where everything in the primary may be shown. */
  readonly confirmed: ConfirmedHistory | undefined;
}

/**
 * Moves the counter of a shard up to those of the other shards of its order; see `advance.lua`. Writes that
 * are answered in one turn share one call.
 */
export class Advancer {
  #count = 0;
  #target = 0;
  readonly #advancing = new NextCall(() => this.#advance());
  readonly #options: AdvancerOptions;

  constructor(options: AdvancerOptions) {
    this.#options = options;
  }

  /** Resolves when the shard gives out no new revision up to this one. Rejects with `Unavailable` or `EpochChanged`. */
  async advance(upTo: number): Promise<void> {
    this.#target = Math.max(this.#target, upTo);
    await this.#advancing.share();
  }

  async #advance(): Promise<void> {
    const {link, head, stride} = this.#options;
    const upTo = this.#target;
    // Commits of this server, or the log, may have moved it already.
    if (stride.closedAt(head.revision) >= upTo) return;
    await link.retrying(async (session) => {
      for (let attempt = 1; ; attempt++) {
        if (await this.#send(session, upTo)) return;
        await head.attach(session);
        if (attempt === attempts) throw epochChangedError();
      }
    });
  }

  async #send(session: Session, upTo: number): Promise<boolean> {
    const {keys, head, stride, confirmed} = this.#options;
    const {epoch, revision: seen} = head;
    const id = `${session.id}.${(this.#count++).toString(36)}`;
    const args = [epoch, String(seen), id, String(upTo), String(stride.remainder), String(stride.step)];
    const [word, revision, last] = ((await session.run(scripts.advance, [keys.head, keys.log], args)) as Buffer[]).map(String);
    if (word !== 'Ok') return false;
    await confirmed?.upTo(epoch, Number(revision));
    head.advance(epoch, Number(revision), last!);
    return true;
  }
}
