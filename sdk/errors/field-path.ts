/**
 * A typed path to a member of an object, written as Kubernetes writes it:
 * `spec.containers[0].env[key]`. Immutable; every step returns a new path.
 */
export class FieldPath {
  readonly #parent: FieldPath | undefined;
  readonly #text: string;

  private constructor(parent: FieldPath | undefined, text: string) {
    this.#parent = parent;
    this.#text = text;
  }

  /** The path of the whole object; its first child has no leading dot. */
  static readonly root = new FieldPath(undefined, '');

  /** A path of the given members, from the root. */
  static of(...members: string[]): FieldPath {
    return FieldPath.root.child(...members);
  }

  /** A member of an object with a fixed name. */
  child(...members: string[]): FieldPath {
    let path: FieldPath = this;
    for (const member of members) path = new FieldPath(path, path.isRoot ? member : `.${member}`);
    return path;
  }

  /** An item of a list. */
  index(position: number): FieldPath {
    return new FieldPath(this, `[${position}]`);
  }

  /** An entry of a map whose keys are data. */
  key(name: string): FieldPath {
    return new FieldPath(this, `[${name}]`);
  }

  get isRoot(): boolean {
    return this.#parent === undefined && this.#text === '';
  }

  toString(): string {
    return this.#parent === undefined ? this.#text : this.#parent.toString() + this.#text;
  }
}
