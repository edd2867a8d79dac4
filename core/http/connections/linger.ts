import type {Socket} from 'node:net';

/**
 * A client that still sends while it is told that it need not gets this long to read the answer, in milliseconds: were the connection closed at once, its
 * system would throw the answer away.
 */
const lingerMillis = 500;

/** Ends a connection behind what has been written to it, and throws away what still comes, for a moment. */
export function endAndLinger(socket: Socket): void {
  socket.end();
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMillis).unref();
}

/** Has a connection end like this when Node ends it behind an answer that says so. */
export function lingerAtEnd(socket: Socket): void {
  socket.destroySoon = () => endAndLinger(socket);
}
