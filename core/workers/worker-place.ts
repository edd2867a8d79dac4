import type {ConnectionSource} from '../http/connections/connection-source.js';
import type {OtherProcesses} from '../http/metrics/serve-metrics.js';

/**
 * The context of a server that is one of several processes at one address (docs/decisions/0036-workers-of-one-machine.md). Numbers are unique at any
 * time.
 */
export interface WorkerPlace extends OtherProcesses {
  /** How many share the limits of the server. */
  readonly workers: number;
  /** Where connections come from: another process listens. */
  readonly connections: ConnectionSource;
  /** Keys of TLS session tickets, so that a session that one worker began is resumed by any. */
  readonly ticketKeys: Buffer;
  /** Whether the address is still served when this process stops. */
  remains(): boolean;
}
