/** The value of a variable, made when an expression first reads it: most read few of those that they may. */
export class LateValue {
  #made: {readonly value: unknown} | undefined;
  readonly #make: () => unknown;

  constructor(make: () => unknown) {
    this.#make = make;
  }

  get value(): unknown {
    return (this.#made ??= {value: this.#make()}).value;
  }
}
