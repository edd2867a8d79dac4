import {grown} from './grown.js';
import type {OwnerKind} from './node-table.js';

const blocks = 1;
const odd = 2;
const absent = 4;
const smallest = 64;

/**
 * The references of dependents to owners, by number; 0 stands for none. Each is in two lists: that of the dependent and that of the owner. Most
 * name the owner as it is: a name is kept only of those that do not, which are odd.
 */
export class ReferenceTable {
  owner = new Uint32Array(smallest);
  dependent = new Uint32Array(smallest);
  /** The next of the same dependent. */
  nextOwner = new Uint32Array(smallest);
  /** The next and the previous of the same owner. */
  nextDependent = new Uint32Array(smallest);
  previousDependent = new Uint32Array(smallest);
  kinds: (OwnerKind | undefined)[] = [];
  #flags = new Uint8Array(smallest);
  readonly #oddNames = new Map<number, string>();
  #used = 0;
  #free: number[] = [];

  add(owner: number, dependent: number, kind: OwnerKind, isBlocking: boolean): number {
    const reference = this.#free.pop() ?? ++this.#used;
    if (reference >= this.#flags.length) this.#grow();
    this.owner[reference] = owner;
    this.dependent[reference] = dependent;
    this.kinds[reference] = kind;
    this.#flags[reference] = isBlocking ? blocks : 0;
    return reference;
  }

  delete(reference: number): void {
    this.kinds[reference] = undefined;
    this.#oddNames.delete(reference);
    this.#free.push(reference);
    if (this.#free.length === this.#used) this.#shrink();
  }

  isBlocking(reference: number): boolean {
    return (this.#flags[reference]! & blocks) !== 0;
  }

  isOdd(reference: number): boolean {
    return (this.#flags[reference]! & odd) !== 0;
  }

  oddName(reference: number): string {
    return this.#oddNames.get(reference)!;
  }

  /** @param name undefined if it names its owner as it is */
  setOdd(reference: number, name: string | undefined): void {
    if (name === undefined) {
      this.#flags[reference]! &= ~odd;
      this.#oddNames.delete(reference);
    } else {
      this.#flags[reference]! |= odd;
      this.#oddNames.set(reference, name);
    }
  }

  /** Of an odd one: there is no such owner. */
  isAbsent(reference: number): boolean {
    return (this.#flags[reference]! & absent) !== 0;
  }

  markAbsent(reference: number): void {
    this.#flags[reference]! |= absent;
  }

  clearAbsent(reference: number): void {
    this.#flags[reference]! &= ~absent;
  }

  #grow(): void {
    this.owner = grown(this.owner);
    this.dependent = grown(this.dependent);
    this.nextOwner = grown(this.nextOwner);
    this.nextDependent = grown(this.nextDependent);
    this.previousDependent = grown(this.previousDependent);
    this.#flags = grown(this.#flags);
  }

  /** Nothing is left: what many references have needed is given back. */
  #shrink(): void {
    this.owner = new Uint32Array(smallest);
    this.dependent = new Uint32Array(smallest);
    this.nextOwner = new Uint32Array(smallest);
    this.nextDependent = new Uint32Array(smallest);
    this.previousDependent = new Uint32Array(smallest);
    this.#flags = new Uint8Array(smallest);
    this.kinds = [];
    this.#free = [];
    this.#used = 0;
  }
}
