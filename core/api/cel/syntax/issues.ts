import {nowhere, type Location, type SourceText} from './source-text.js';

/** So many are told; of the others only how many there are. */
const maximumIssues = 100;

interface Issue {
  readonly location: Location;
  readonly message: string;
}

/** What is wrong with an expression, and where, as cel-go tells it. */
export class Issues {
  #count = 0;
  readonly #issues: Issue[] = [];

  constructor(readonly source: SourceText) {}

  get count(): number {
    return this.#count;
  }

  /** @param position in the text; negative for the expression as a whole */
  report(position: number, message: string): void {
    this.#count += 1;
    if (this.#count <= maximumIssues) this.#issues.push({location: position < 0 ? nowhere : this.source.locationOf(position), message});
  }

  /**
   * All of them in the order of their places, each with the line and a mark below it.
   *
   * @param withNewTypeNames whether optional values have the name that newer releases give them
   */
  text(withNewTypeNames: boolean): string {
    const sorted = this.#issues.toSorted((a, b) => a.location.line - b.location.line || a.location.column - b.location.column);
    const texts = sorted.map(
      ({location, message}) =>
        `ERROR: <input>:${location.line}:${this.source.text === '' ? 0 : location.column + 1}: ${withNewTypeNames ? message : message.replaceAll('optional_type(', 'optional(')}${this.source.snippetOf(location)}`,
    );
    if (this.#count > maximumIssues) texts.push(`${this.#count - maximumIssues} more errors were truncated`);
    return texts.join('\n');
  }
}
