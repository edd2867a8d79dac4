/** A value that there may be or not: `optional.of(1)`, `optional.none()`. */
export class OptionalValue {
  static readonly none = new OptionalValue(undefined);

  /** @param value undefined if there is none */
  private constructor(readonly value: unknown) {}

  static of(value: unknown): OptionalValue {
    return new OptionalValue(value);
  }

  get hasValue(): boolean {
    return this.value !== undefined;
  }
}
