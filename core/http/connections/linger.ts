import type {Socket} from 'node:net';

/**
 * Milliseconds that a client which is still sending gets to read the response: if the connection were closed at once, its operating system
 * would discard the response.
 */
const lingerMillis = 500;

/** Ends a connection after what has been written to it, and discards further input for a moment. */
export function endAndLinger(socket: Socket): void {
  socket.end();
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMillis).unref();
}

/** Makes a connection end this way when Node ends it after a response with `Connection: close`. */
export function lingerAtEnd(socket: Socket): void {
  socket.destroySoon = () => endAndLinger(socket);
}
