import type {AnnotationLevel} from '../../../sdk/index.js';

/** What was noted about a request for its records: a later value for a key takes the place of an earlier one. */
export class Annotations {
  readonly #notes = new Map<string, {readonly value: string; readonly level: AnnotationLevel}>();

  set(key: string, value: string, level: AnnotationLevel = 'Metadata'): void {
    this.#notes.set(key, {value, level});
  }

  /** Those for records of this level; undefined where there are none. Those of `Request` hold parts of objects. */
  at(level: AnnotationLevel): Readonly<Record<string, string>> | undefined {
    const kept = [...this.#notes].filter(([, note]) => level === 'Request' || note.level === 'Metadata');
    return kept.length === 0 ? undefined : Object.fromEntries(kept.map(([key, {value}]) => [key, value]));
  }
}
