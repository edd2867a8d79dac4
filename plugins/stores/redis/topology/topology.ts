import type {Reply} from '../drivers/redis-driver.js';
import type {Address} from '../redis-url.js';

/** Finds the server that holds a key now. Asked again for every new connection, so a failover needs no further handling. */
export interface Topology {
  /** The whole, for messages: host and port, or what stands for them. */
  readonly description: string;
  /** The address of the primary for a key. Rejects with the reason when none can be found. */
  addressOf(key: string): Promise<Address>;
}

/** Asks one server one command over a short-lived connection. */
export type Ask = (address: Address, command: readonly string[]) => Promise<Reply>;
