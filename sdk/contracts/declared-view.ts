import type {Permission} from './declared-account.js';

/** A view of the console that a manifest declares. */
export interface DeclaredView {
  readonly plugin: string;
  /** Of the manifest. */
  readonly folder: string;
  /** Relative to that folder. */
  readonly module: string;
  readonly title: string;
  /** The type whose page it is, with the group in the neutral form; without it, a card on the overview. */
  readonly resource?: {readonly group: string; readonly resource: string};
  readonly permissions: readonly Permission[];
}
