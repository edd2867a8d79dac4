import {addressText, type Address} from '../redis-url.js';
import type {Topology} from './topology.js';

/** One server with a fixed address. */
export function singleTopology(address: Address): Topology {
  return {description: addressText(address), addressOf: () => Promise.resolve(address)};
}
