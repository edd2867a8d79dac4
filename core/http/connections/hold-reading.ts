import type {Socket} from 'node:net';

/** What Node reads a connection with. `reading` is what it believes to be the case. */
interface ReadHandle {
  reading: boolean;
  readStart(): number;
  readStop(): number;
}

/**
 * Reads a connection no more until the function that this answers is called, whatever Node's HTTP server makes of it meanwhile: it goes on reading a
 * connection that was paused when a request is complete, and when a part of an answer has been sent. What has been received already is still
 * announced: the rest of 64 KiB.
 */
export function holdReading(socket: Socket): () => void {
  const {_handle: handle} = socket as Socket & {_handle: ReadHandle | null};
  if (!handle) return () => undefined;
  handle.readStop();
  handle.readStart = () => 0;
  return () => {
    Reflect.deleteProperty(handle, 'readStart');
    if (handle.reading) handle.readStart();
  };
}
