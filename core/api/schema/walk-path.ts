import {FieldPath, shownPath} from '../../../sdk/index.js';

/** Real schemas are not nested deeper. A deeper walk is rejected so that the stack cannot overflow. */
export const maximumDepth = 1000;

/** The current place of a walk. Steps are stored as they are and formatted only for an error. */
export class WalkPath {
  readonly #steps: (string | number)[] = [];
  readonly #prefix: string;

  /** @param prefix the start of the walk, if it is not the object itself */
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

  /** The steps to the current place, and one more. */
  steps(last?: string | number): readonly (string | number)[] {
    return last === undefined ? [...this.#steps] : [...this.#steps, last];
  }

  /**
   * The path in Kubernetes' form for decoding errors: `spec.containers[0].name`, with a dot for map keys too. Very long paths are
   * truncated.
   */
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
