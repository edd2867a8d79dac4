import type {ServedResource} from '../../../sdk/index.js';
import type {DeletionState} from './graph-node.js';
import {grown} from './grown.js';
import {UidTable} from './uid-table.js';

/** A kind as references name it. There is one for each version and kind, so they are compared as they are. */
export interface OwnerKind {
  readonly apiVersion: string;
  readonly group: string;
  readonly kind: string;
}

/** The object is there. */
const seen = 4;
/** Whether it is there is known as well as it can be: it was seen, or looked for. */
const known = 8;
const absent = 16;
const doubtful = 32;
const stateBits = 3;
const states: readonly DeletionState[] = ['live', 'deleting', 'dependentsFirst', 'orphaning'];
const smallest = 64;

/** What the graph knows of each object, by its number. Columns of plain numbers, not objects: there are very many. */
export class NodeTable {
  readonly uids = new UidTable();
  /** `NAMESPACE/NAME`, or `NAME` in no namespace: shared with the cache, or what a reference says as long as nobody has seen the object. */
  keys: string[] = [];
  /** What it is; what a reference says it is, as long as nobody has seen it. */
  types: (ServedResource | OwnerKind | undefined)[] = [];
  /** The first of its references to owners, and of the references of others to it. */
  firstOwner = new Uint32Array(smallest);
  firstDependent = new Uint32Array(smallest);
  /** How many references to it block its deletion. */
  blocking = new Uint32Array(smallest);
  #flags = new Uint8Array(smallest);
  #unknown = 0;

  get size(): number {
    return this.uids.size;
  }

  /** How many are not `isKnown`. */
  get unknown(): number {
    return this.#unknown;
  }

  add(uid: string): number {
    const node = this.uids.add(uid);
    if (node >= this.#flags.length) {
      this.#flags = grown(this.#flags);
      this.firstOwner = grown(this.firstOwner);
      this.firstDependent = grown(this.firstDependent);
      this.blocking = grown(this.blocking);
    }
    this.#unknown += 1;
    return node;
  }

  delete(node: number): void {
    if (!this.isKnown(node)) this.#unknown -= 1;
    this.keys[node] = '';
    this.types[node] = undefined;
    this.#flags[node] = 0;
    this.uids.delete(node);
    if (this.size > 0) return;
    this.keys = [];
    this.types = [];
    this.#flags = new Uint8Array(smallest);
    this.firstOwner = new Uint32Array(smallest);
    this.firstDependent = new Uint32Array(smallest);
    this.blocking = new Uint32Array(smallest);
  }

  *numbers(): Generator<number> {
    for (let node = 1; node <= this.uids.highest; node++) if (this.types[node] !== undefined) yield node;
  }

  isSeen(node: number): boolean {
    return (this.#flags[node]! & seen) !== 0;
  }

  isKnown(node: number): boolean {
    return (this.#flags[node]! & known) !== 0;
  }

  isAbsent(node: number): boolean {
    return (this.#flags[node]! & absent) !== 0;
  }

  state(node: number): DeletionState {
    return states[this.#flags[node]! & stateBits]!;
  }

  setState(node: number, state: DeletionState): void {
    this.#flags[node] = (this.#flags[node]! & ~stateBits) | states.indexOf(state);
  }

  markSeen(node: number): void {
    this.markKnown(node);
    this.#flags[node] = (this.#flags[node]! | seen) & ~absent;
  }

  markAbsent(node: number): void {
    this.markKnown(node);
    this.#flags[node] = (this.#flags[node]! | absent) & ~seen;
  }

  markKnown(node: number): void {
    if (!this.isKnown(node)) this.#unknown -= 1;
    this.#flags[node]! |= known;
  }

  /** Nothing is known of it any more. */
  markUnknown(node: number): void {
    if (this.isKnown(node)) this.#unknown += 1;
    this.#flags[node] = 0;
  }

  isDoubtful(node: number): boolean {
    return (this.#flags[node]! & doubtful) !== 0;
  }

  setDoubtful(node: number, isSo: boolean): void {
    this.#flags[node] = isSo ? this.#flags[node]! | doubtful : this.#flags[node]! & ~doubtful;
  }
}
