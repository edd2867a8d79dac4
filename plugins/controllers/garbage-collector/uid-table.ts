import {getRandomValues} from 'node:crypto';
import {grown} from './grown.js';

const uidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const wordsPerUid = 4;
const smallest = 64;

/**
 * Numbers for uids, from 1 on; 0 stands for none. A uid takes 16 bytes and about as much for its place in the table: as texts in a `Map` they
 * would take six times as much. Other texts than uids, which references may contain, are kept as they are. A number that was given back is used again.
 */
export class UidTable {
  #words = new Uint32Array(smallest * wordsPerUid);
  /** Numbers, found by hash: each stands at the first free place from its own on. */
  #places = new Uint32Array(smallest * 2);
  #shift = 32 - Math.log2(smallest * 2);
  /** Clients choose the uids of references, and may not be able to choose those that fall together. */
  readonly #secret = getRandomValues(new Uint32Array(2 * wordsPerUid));
  readonly #numbersOfTexts = new Map<string, number>();
  readonly #texts = new Map<number, string>();
  #used = 0;
  #free: number[] = [];
  readonly #parsed = new Uint32Array(wordsPerUid);

  get size(): number {
    return this.#used - this.#free.length;
  }

  /** The highest number that was ever given. */
  get highest(): number {
    return this.#used;
  }

  /** The number of a uid, 0 if it has none. */
  find(uid: string): number {
    if (!this.#parse(uid)) return this.#numbersOfTexts.get(uid) ?? 0;
    return this.#places[this.#placeOf(this.#parsed, 0)]!;
  }

  /** Gives a number to a uid that has none. */
  add(uid: string): number {
    const number = this.#free.pop() ?? ++this.#used;
    if ((number + 1) * wordsPerUid > this.#words.length) this.#words = grown(this.#words);
    if (this.#parse(uid)) {
      this.#words.set(this.#parsed, number * wordsPerUid);
      this.#places[this.#placeOf(this.#parsed, 0)] = number;
      if (this.size * 3 > this.#places.length * 2) this.#enlarge();
    } else {
      this.#texts.set(number, uid);
      this.#numbersOfTexts.set(uid, number);
    }
    return number;
  }

  uidOf(number: number): string {
    const text = this.#texts.get(number);
    if (text !== undefined) return text;
    let digits = '';
    for (let word = 0; word < wordsPerUid; word++) {
      digits += (this.#words[number * wordsPerUid + word]! + 2 ** 32).toString(16).slice(1);
    }
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
  }

  /** Gives a number back. */
  delete(number: number): void {
    const text = this.#texts.get(number);
    if (text === undefined) {
      this.#removeFrom(this.#placeOf(this.#words, number * wordsPerUid));
    } else {
      this.#texts.delete(number);
      this.#numbersOfTexts.delete(text);
    }
    this.#free.push(number);
    if (this.size === 0) this.#shrink();
  }

  #parse(uid: string): boolean {
    if (!uidForm.test(uid)) return false;
    this.#parsed[0] = parseInt(uid.slice(0, 8), 16);
    this.#parsed[1] = parseInt(uid.slice(9, 13) + uid.slice(14, 18), 16);
    this.#parsed[2] = parseInt(uid.slice(19, 23) + uid.slice(24, 28), 16);
    this.#parsed[3] = parseInt(uid.slice(28), 16);
    return true;
  }

  /** Where a uid should stand. Sums of secret multiples of 16 bits each: which uids meet cannot be foreseen. */
  #hash(words: Uint32Array, from: number): number {
    let sum = 0;
    for (let index = 0; index < wordsPerUid; index++) {
      const word = words[from + index]!;
      sum += Math.imul(word & 0xffff, this.#secret[2 * index]!) + Math.imul(word >>> 16, this.#secret[2 * index + 1]!);
    }
    return (sum | 0) >>> this.#shift;
  }

  /** Where a uid stands, or the free place where it would. */
  #placeOf(words: Uint32Array, from: number): number {
    const last = this.#places.length - 1;
    let place = this.#hash(words, from);
    while (this.#places[place] !== 0 && !this.#isAt(this.#places[place]! * wordsPerUid, words, from)) place = (place + 1) & last;
    return place;
  }

  #isAt(at: number, words: Uint32Array, from: number): boolean {
    const all = this.#words;
    return all[at] === words[from] && all[at + 1] === words[from + 1] && all[at + 2] === words[from + 2] && all[at + 3] === words[from + 3];
  }

  /** Frees a place. Those behind it that could not have their own move up, so that no search ends before them. */
  #removeFrom(place: number): void {
    const last = this.#places.length - 1;
    let gap = place;
    for (let next = (gap + 1) & last; this.#places[next] !== 0; next = (next + 1) & last) {
      const number = this.#places[next]!;
      const own = this.#hash(this.#words, number * wordsPerUid);
      if (((next - own) & last) < ((next - gap) & last)) continue;
      this.#places[gap] = number;
      gap = next;
    }
    this.#places[gap] = 0;
  }

  #enlarge(): void {
    const numbers = this.#places;
    this.#places = new Uint32Array(numbers.length * 2);
    this.#shift -= 1;
    for (const number of numbers) if (number !== 0) this.#places[this.#placeOf(this.#words, number * wordsPerUid)] = number;
  }

  /** Nothing is left: what many uids have needed is given back. */
  #shrink(): void {
    this.#words = new Uint32Array(smallest * wordsPerUid);
    this.#places = new Uint32Array(smallest * 2);
    this.#shift = 32 - Math.log2(smallest * 2);
    this.#free = [];
    this.#used = 0;
  }
}
