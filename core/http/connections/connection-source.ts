import type {Socket} from 'node:net';

/** Somebody else who listens, and hands on the connections. */
export interface ConnectionSource {
  /** On which it listens. */
  readonly port: number;
  /** From now on connections may come. Their bytes have not been read. */
  start(accept: (socket: Socket) => void): void;
}
