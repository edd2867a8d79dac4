import type {AnnotationLevel} from '../../../sdk/index.js';

/** Audit annotations of a request: a later value for a key replaces an earlier one. */
export class Annotations {
  readonly #notes = new Map<string, {readonly value: string; readonly level: AnnotationLevel}>();

  set(key: string, value: string, level: AnnotationLevel = 'Metadata'): void {
    this.#notes.set(key, {value, level});
  }

  /** Annotations for events of this level; undefined if there are none. Those of `Request` contain parts of objects. */
  at(level: AnnotationLevel): Readonly<Record<string, string>> | undefined {
    const kept = [...this.#notes].filter(([, note]) => level === 'Request' || note.level === 'Metadata');
    return kept.length === 0 ? undefined : Object.fromEntries(kept.map(([key, {value}]) => [key, value]));
  }
}
