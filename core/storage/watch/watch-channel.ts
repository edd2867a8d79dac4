import type {ObjectView} from '../read/object-view.js';
import type {ObjectSelector} from '../read/object-selector.js';
import type {WindowEvent} from '../cache/window-event.js';
import type {FrameEncoder} from './frame-encoder.js';
import {seenObjects, watchChange, type WatchChange} from './watch-change.js';
import type {Watcher} from './watcher.js';

interface ChannelFrame extends WatchChange {
  readonly revision: number;
  readonly bytes: Buffer;
}

/** Frames that are sent to watchers together. */
interface JoinedFrames {
  readonly bytes: Buffer;
  /** Of each frame. */
  readonly sizes: readonly number[];
}

/** Frames of one event, by encoder and event type: channels that differ only in their selectors share them. */
export type FrameMemo = Map<string, Buffer>;

/** Watches with the same query and representation: events are filtered, encoded and joined once for all of them. */
export class WatchChannel {
  readonly watchers = new Set<Watcher>();
  #frames: ChannelFrame[] = [];
  readonly #view: ObjectView | undefined;

  constructor(
    readonly id: string,
    readonly selector: ObjectSelector,
    readonly encoder: FrameEncoder,
    view: ObjectView | undefined,
  ) {
    this.#view = view;
  }

  /** Whether a change can be collected synchronously. */
  isReady(event: WindowEvent): boolean {
    const view = this.#view;
    return view === undefined || seenObjects(event, this.selector).every((object) => view.isReady(object));
  }

  /** Collects a change if it matters to the channel; returns whether it did. */
  collect(event: WindowEvent, memo: FrameMemo): boolean {
    const change = watchChange(event, this.selector, this.#view);
    if (!change) return false;
    const memoKey = `${change.type}${this.encoder.key}`;
    let bytes = memo.get(memoKey);
    if (!bytes) memo.set(memoKey, (bytes = this.encoder.encode(change.type, change.object)));
    this.#frames.push({...change, revision: event.revision, bytes});
    return true;
  }

  /** Sends the collected events: the same buffer to every watcher, except to those that joined in between or get their first change. */
  deliver(): void {
    const frames = this.#frames;
    this.#frames = [];
    const [firstFrame] = frames;
    if (!firstFrame) return;
    const joined = new Map<number, JoinedFrames>();
    for (const watcher of this.watchers) {
      const start = watcher.position < firstFrame.revision ? 0 : frames.findIndex(({revision}) => revision > watcher.position);
      if (start < 0) continue;
      // Both forms share one map: the form for a stream's first change has negative keys.
      const form = watcher.firstPending ? -1 - start : start;
      let chunk = joined.get(form);
      if (!chunk) joined.set(form, (chunk = this.#join(frames, start, watcher.firstPending)));
      watcher.firstPending = false;
      watcher.send(chunk.bytes, chunk.sizes);
    }
  }

  /** Drops the collected events. */
  clear(): void {
    this.#frames = [];
  }

  #join(frames: readonly ChannelFrame[], start: number, first: boolean): JoinedFrames {
    const parts = frames.slice(start).map(({bytes}) => bytes);
    if (first) parts[0] = this.encoder.encodeFirst!(frames[start]!.type, frames[start]!.object);
    const sizes = parts.map(({length}) => length);
    return {bytes: parts.length === 1 ? parts[0]! : Buffer.concat(parts), sizes};
  }
}
