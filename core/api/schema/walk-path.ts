import {FieldPath, shownPath} from '../../../sdk/index.js';

/** Schemas nest no deeper in earnest; beyond this a walk is refused rather than let the stack overflow. */
export const maximumDepth = 1000;

/** The place a walk has come to. Steps are kept as they are and written out only when a fault has to be named. */
export class WalkPath {
  readonly #steps: (string | number)[] = [];
  readonly #prefix: string;

  /** @param prefix where the walk begins, when that is not the object itself */
  constructor(prefix = '') {
    this.#prefix = prefix;
  }

  get depth(): number {
    return this.#steps.length;
  }

  push(step: string | number): void {
    this.#steps.push(step);
  }

  pop(): void {
    this.#steps.pop();
  }

  /** As Kubernetes writes it for decoding: `spec.containers[0].name`, keys of maps with a dot too. Very long paths are cut. */
  text(last?: string | number): string {
    let text = this.#prefix;
    for (const step of this.#steps) text += stepText(step, text);
    return shownPath(last === undefined ? text : text + stepText(last, text));
  }

  fieldPath(last?: string | number): FieldPath {
    const text = this.text(last);
    return text === '' ? FieldPath.root : FieldPath.of(text);
  }
}

function stepText(step: string | number, before: string): string {
  if (typeof step === 'number') return `[${step}]`;
  const name = shownPath(step);
  return before === '' ? name : `.${name}`;
}
