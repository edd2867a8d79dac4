import {seededRandom} from './config-map-writers.js';

/** Choices that are the same for the same seed. */
export class Random {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = seededRandom(seed);
  }

  /** From 0 to before `bound`. */
  below(bound: number): number {
    return Math.floor(this.#next() * bound);
  }

  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }

  /** A few of the choices, in random order, some of them perhaps twice. */
  some<T>(choices: readonly T[], most: number): T[] {
    return Array.from({length: this.below(most + 1)}, () => this.pick(choices));
  }

  /** All of them, in random order. */
  shuffled<T>(items: readonly T[]): T[] {
    const copy = [...items];
    for (let at = copy.length - 1; at > 0; at--) {
      const other = this.below(at + 1);
      [copy[at], copy[other]] = [copy[other]!, copy[at]!];
    }
    return copy;
  }

  bytes(most: number): Buffer {
    return Buffer.from(Array.from({length: this.below(most + 1)}, () => this.below(256)));
  }

  /** A short text: words that mean something to the server, odd characters, or both. */
  text(): string {
    return this.pick([
      () => this.pick(words),
      () => `${this.pick(words)}${this.pick(odd)}`,
      () => Array.from({length: this.below(6)}, () => this.pick(odd)).join(''),
      () => this.pick(words).repeat(this.below(40)),
      () => String(this.number()),
    ])();
  }

  number(): number {
    return this.pick([0, 1, -1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e21, 1.5, -0, 1e-7, this.below(1000), 4_294_967_296, 2 ** 63]);
  }
}

const words = [
  'a',
  'b',
  'name',
  'one',
  'two',
  'default',
  'metadata',
  'spec',
  'status',
  'data',
  'labels',
  'finalizers',
  'v1',
  'ConfigMap',
  'orphan',
  'foregroundDeletion',
  'size',
  'small',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'null',
  'true',
  'example.com/hold',
  '0',
  '1',
  '-',
  '..',
  '.',
  '*',
  'kind',
  'apiVersion',
  '$patch',
  '$deleteFromPrimitiveList/x',
];

const odd = [
  '',
  ' ',
  '/',
  '\\',
  '"',
  "'",
  '\n',
  '\t',
  '\u0000',
  '\u007f',
  'ü',
  '☃',
  '\u{1f600}',
  '\ud800',
  '\udfff',
  '\u2028',
  '%',
  '%00',
  '%2e%2e',
  '~',
  '~0',
  '~1',
  '{',
  '}',
  '[',
  ']',
  '=',
  '!',
  ',',
  '(',
  ')',
  ';',
  '&',
  '+',
  '#',
  '?',
  ':',
  '@',
  '$',
  '\ufeff',
];
