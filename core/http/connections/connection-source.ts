import type {Socket} from 'node:net';

/** Connections from another listener, such as the supervisor of workers. */
export interface ConnectionSource {
  readonly port: number;
  /** Starts delivering connections, of which nothing has been read. */
  start(accept: (socket: Socket) => void): void;
}
