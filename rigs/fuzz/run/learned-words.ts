import type {Learned} from '../mutate/address.js';

const kept = 30;

/** What the answers of one connection have told: the latest of each. */
export class LearnedWords implements Learned {
  readonly names: string[] = ['one', 'a', 'default'];
  readonly versions: string[] = [];
  readonly uids: string[] = [];
  readonly tokens: string[] = [];

  /** Looks at an answer; only at the beginning of a long one. */
  take(body: Buffer): void {
    const text = body.toString('latin1', 0, 2000);
    this.#keep(this.names, /"name": ?"([\w.-]+)"/.exec(text));
    this.#keep(this.versions, /"resourceVersion": ?"(\d+)"/.exec(text));
    this.#keep(this.uids, /"uid": ?"([\w-]{36})"/.exec(text));
    this.#keep(this.tokens, /"continue": ?"([\w-]+)"/.exec(text));
  }

  #keep(words: string[], match: RegExpExecArray | null): void {
    if (match && words.push(match[1]!) > kept) words.shift();
  }
}
