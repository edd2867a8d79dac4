import type {Socket} from 'node:net';

/**
 * Undoes a pause that Node puts on a connection when a request arrives before the answer to the one before it has left the process: over
 * TLS, what was received together with the request's head still reaches the parser, which takes it as an error and drops the connection
 * (Node 22 and 24). Large responses followed by large requests, as with `kubectl apply` of definitions, sometimes trigger this. To be
 * called while the request is being announced. `Connection` decides how much may arrive ahead of the responses.
 */
export function undoSocketPause(socket: Socket): void {
  const connection = socket as Socket & {_paused?: boolean};
  if (!connection._paused) return;
  connection._paused = false;
  socket.resume();
}
