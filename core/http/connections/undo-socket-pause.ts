import type {Socket} from 'node:net';

/**
 * Undoes a pause that Node puts on a connection when a request arrives before the answer to the one before it has left the process:
 * over TLS, what was received together with the request's head still reaches the parser, which takes it as an error and
 * drops the connection (Node 22 and 24). Large answers followed by large requests, as `kubectl apply` of definitions sends them, meet with
 * that now and then. To be called while the request is being announced. How much may arrive ahead of the answers is for `Connection` to say.
 */
export function undoSocketPause(socket: Socket): void {
  const connection = socket as Socket & {_paused?: boolean};
  if (!connection._paused) return;
  connection._paused = false;
  socket.resume();
}
