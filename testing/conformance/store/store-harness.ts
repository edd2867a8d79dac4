import type {Store} from '../../../sdk/index.js';
import type {Checks} from '../checks.js';

/** How the suite reaches one set of data through a store implementation. */
export interface StoreHarness {
  /** Opens a store; a second open with the same harness instance opens the same data again (another "server" or a restart). */
  open(): Promise<Store>;
  /** For stores that live behind a connection: cuts every connection of the open stores now. Absent when there is none. */
  cutConnections?(): Promise<void>;
  /** True when two open stores may use the data at the same time (Redis). */
  readonly shared: boolean;
  /** True when data survives close + open. */
  readonly durable: boolean;
  /** Closes every store that is still open and removes the data. */
  close(): Promise<void>;
}

/** Declares one test of the suite; the harness is fresh and is closed after the body. */
export type StoreTest = (title: string, body: (t: Checks, harness: StoreHarness) => Promise<void>) => void;

/** The two ways of declaring a test: beside the others, or alone in its process. */
export interface StoreTests {
  readonly test: StoreTest;
  readonly alone: StoreTest;
}
