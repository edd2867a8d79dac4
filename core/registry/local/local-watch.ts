import {StatusError, type Status, type WatchEvent} from '../../../sdk/index.js';
import {decodeJson} from '../../api/codec/json.js';
import type {WatchSink} from '../../storage/watch/watch-query.js';
import type {ListRequest} from '../read/list-request.js';
import type {Resource} from '../resource.js';
import {JsonFrameEncoder} from '../views/json-frame-encoder.js';

/**
 * The events of a watch inside the process, decoded from the frames of HTTP clients, so that one mechanism decides what is sent. Each caller
 * gets its own objects.
 *
 * @param outside runs code of the server
 * @throws StatusError when the version is too old or the server ends the watch with an error
 */
export async function* watchEvents(
  resource: Resource,
  namespace: string,
  request: ListRequest,
  signal: AbortSignal,
  outside: <T>(work: () => T) => T,
): AsyncGenerator<WatchEvent> {
  if (signal.aborted) return;
  const {type, version, view} = resource.served;
  const sink = new QueueSink();
  const encoder = new JsonFrameEncoder(
    {apiVersion: version.apiVersion, kind: type.kind},
    undefined,
    (object) => view.convertedNow(object).bytes,
  );
  const {labelSelector, fieldSelector, resourceVersion} = request;
  const selected = {labelSelector, fieldSelector, resourceVersion, allowWatchBookmarks: true, encoder};
  const handle = await outside(() => resource.watch(namespace, selected)(sink));
  const onAbort = () => sink.end();
  signal.addEventListener('abort', onAbort, {once: true});
  try {
    for (;;) {
      const frames = await sink.next();
      if (!frames) return;
      for (const event of parseFrames(frames)) {
        if (event.type === 'ERROR') throw toError(event.object as unknown as Status);
        yield event;
      }
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    handle.close();
  }
}

/** A chunk contains whole frames, one per line. */
function* parseFrames(chunk: Buffer): Generator<WatchEvent> {
  for (let start = 0; start < chunk.length;) {
    const end = chunk.indexOf(0x0a, start);
    yield decodeJson(chunk.subarray(start, end)).value as unknown as WatchEvent;
    start = end + 1;
  }
}

function toError(status: Status): StatusError {
  return new StatusError(status.code, status.reason ?? 'Unknown', status.message ?? '', status.details ? {details: status.details} : {});
}

/** Chunks that have not been consumed. `queuedBytes` reports them, and the watch ends itself if there are too many. */
class QueueSink implements WatchSink {
  queuedBytes = 0;
  #chunks: Buffer[] = [];
  #ended = false;
  #wake: (() => void) | undefined;
  #drained: (() => void) | undefined;

  write(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.queuedBytes += chunk.length;
    this.#wake?.();
  }

  onceDrained(resume: () => void): void {
    this.#drained = resume;
  }

  end(frame?: Buffer): void {
    if (frame) this.#chunks.push(frame);
    this.#ended = true;
    this.#wake?.();
  }

  async next(): Promise<Buffer | undefined> {
    while (this.#chunks.length === 0) {
      if (this.#ended) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
      this.#wake = undefined;
    }
    const chunk = this.#chunks.shift()!;
    this.queuedBytes = Math.max(0, this.queuedBytes - chunk.length);
    if (this.queuedBytes === 0) {
      const drained = this.#drained;
      this.#drained = undefined;
      drained?.();
    }
    return chunk;
  }
}
