import {socketProtocols} from './session.js';

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
 * Watches over a WebSocket: a browser has six connections for requests to a server, which watches would use up.
 *
 * @param path with its query
 * @returns ends it; nothing is called afterwards
 */
export function openWatch<T>(path: string, handlers: WatchHandlers<T>): () => void {
  const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${path}`, socketProtocols());
  let isOver = false;
  const over = () => {
    if (isOver) return;
    isOver = true;
    handlers.ended();
  };
  socket.onopen = () => {
    if (!isOver) handlers.opened?.();
  };
  socket.onmessage = ({data}: MessageEvent<string>) => {
    if (!isOver) handlers.event(JSON.parse(data) as WatchEvent<T>);
  };
  socket.onclose = over;
  return () => {
    isOver = true;
    socket.close();
  };
}
