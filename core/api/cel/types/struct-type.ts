import {CelType} from './cel-type.js';

/** The type of objects with named fields. */
export class StructType extends CelType {
  readonly #fieldOf: (name: string) => CelType | undefined;

  /** @param fieldOf the type of a field; undefined if there is no field of this name */
  constructor(name: string, fieldOf: (name: string) => CelType | undefined) {
    super('struct', name);
    this.#fieldOf = fieldOf;
  }

  field(name: string): CelType | undefined {
    return this.#fieldOf(name);
  }
}
