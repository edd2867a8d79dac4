/** What an operation that fails evaluates to. It is a value because `&&`, `||` and macros go on with it. */
export class Fault {
  constructor(readonly message: string) {}
}

const noOverload = new Fault('no such overload');

/** Values of other kinds than an operation takes. */
export function noSuchOverload(): Fault {
  return noOverload;
}
