import {callerHeaders, impersonated, socketProtocols} from './session.js';

/** A line of a watch. */
export interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: T;
}

export interface WatchHandlers<T> {
  opened?(): void;
  event(event: WatchEvent<T>): void;
  /** It is over, for whatever reason; at once if the server refused it. */
  ended(): void;
}

/**
 * Watches over a WebSocket: a browser has six connections for requests to a server, which watches would use up. Who acts as somebody else watches over one of these all the same, since a WebSocket
 * cannot say so.
 *
 * @param path with its query; `accept` there is the form
 * @returns ends it; nothing is called afterwards
 */
export function openWatch<T>(path: string, handlers: WatchHandlers<T>): () => void {
  let isOver = false;
  const guarded: Required<WatchHandlers<T>> = {
    opened: () => void (!isOver && handlers.opened?.()),
    event: (event) => void (!isOver && handlers.event(event)),
    ended: () => {
      if (isOver) return;
      isOver = true;
      handlers.ended();
    },
  };
  const close = impersonated.value ? watchByRequest(path, guarded) : watchBySocket(path, guarded);
  return () => {
    isOver = true;
    close();
  };
}

function watchBySocket<T>(path: string, handlers: Required<WatchHandlers<T>>): () => void {
  const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${path}`, socketProtocols());
  socket.onopen = handlers.opened;
  socket.onmessage = ({data}: MessageEvent<string>) => handlers.event(JSON.parse(data) as WatchEvent<T>);
  socket.onclose = handlers.ended;
  return () => socket.close();
}

function watchByRequest<T>(path: string, handlers: Required<WatchHandlers<T>>): () => void {
  const abort = new AbortController();
  const headers = callerHeaders();
  headers.set('Accept', new URLSearchParams(path.slice(path.indexOf('?'))).get('accept') ?? 'application/json');
  void readLines(path, {headers, credentials: 'same-origin', cache: 'no-store', signal: abort.signal}, handlers.opened, (line) =>
    handlers.event(JSON.parse(line) as WatchEvent<T>),
  )
    .catch(() => undefined)
    .then(handlers.ended);
  return () => abort.abort();
}

async function readLines(path: string, init: RequestInit, opened: () => void, take: (line: string) => void): Promise<void> {
  const {ok, body} = await fetch(path, init);
  if (!ok || !body) return;
  opened();
  let rest = '';
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + decoder.decode(part.value, {stream: true})).split('\n');
    rest = lines.pop()!;
    lines.filter(Boolean).forEach(take);
  }
}
