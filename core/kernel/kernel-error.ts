import {errorText, type ErrorParameters, type KernelErrorCode} from './error-catalogue.js';

/** Where a problem is. All parts are optional: an unknown name on the command line has neither plugin nor file. */
export interface ProblemPlace {
  readonly plugin?: string;
  /** Absolute path of the file that is wrong. */
  readonly file?: string;
  /** Path inside the file (`contributes.admission[0].name`), or the flag or option that was given. */
  readonly path?: string;
  /** The exception behind it. */
  readonly cause?: unknown;
}

/** One thing that is wrong. */
export interface KernelProblem extends ProblemPlace {
  readonly code: KernelErrorCode;
  /** What is wrong, without the place. */
  readonly message: string;
}

const brand = Symbol.for('orch.KernelError');

/** Makes a problem from a code of the catalogue. */
export function problem<C extends KernelErrorCode>(code: C, parameters: ErrorParameters<C>, place: ProblemPlace = {}): KernelProblem {
  return {code, message: errorText(code, parameters), ...place};
}

/** A problem as one line: `plugin NAME: MESSAGE (PATH in FILE)`. */
export function problemText(fault: KernelProblem): string {
  const subject = fault.plugin === undefined ? '' : `plugin ${fault.plugin}: `;
  const place = [fault.path, fault.file].filter((part) => part !== undefined && part !== '').join(' in ');
  return `${subject}${fault.message}${place === '' ? '' : ` (${place})`}`;
}

/** Everything that keeps the server from starting or stopping cleanly, found together and reported together. */
export class KernelError extends AggregateError {
  override readonly name = 'KernelError';
  readonly problems: readonly KernelProblem[];

  /** @param problems at least one */
  constructor(problems: readonly KernelProblem[]) {
    const lines = problems.map(problemText);
    const causes = problems.map((fault) => fault.cause).filter((cause) => cause !== undefined);
    super(
      causes,
      lines.length === 1 ? lines[0] : `${lines.length} problems:\n${lines.map((line) => `  - ${line}`).join('\n')}`,
      causes.length === 0 ? undefined : {cause: causes[0]},
    );
    this.problems = problems;
    Object.defineProperty(this, brand, {value: true});
  }

  /** Holds for errors of every loaded copy of this package. */
  static is(error: unknown): error is KernelError {
    return typeof error === 'object' && error !== null && brand in error;
  }

  /** Throws when there are problems. */
  static throwIfAny(problems: readonly KernelProblem[]): void {
    if (problems.length > 0) throw new KernelError(problems);
  }
}
