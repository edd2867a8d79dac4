import {shownText} from '../../sdk/values/shown-text.js';
import {errorText, kernelErrors, type ErrorCatalogue, type TemplateParameters} from './error-catalogue.js';

/** Where a problem is. All parts are optional: an option may concern neither a plugin nor a file. */
export interface ProblemPlace {
  readonly plugin?: string;
  /** Absolute path of the file that is wrong. */
  readonly file?: string;
  /** Path inside the file (`contributes.admission[0].name`), or the option that was given. */
  readonly path?: string;
  /** The exception behind it. */
  readonly cause?: unknown;
}

/** One thing that is wrong. */
export interface KernelProblem extends ProblemPlace {
  /** From the kernel's catalogue, or from that of the program around it. */
  readonly code: string;
  /** The problem without its place. */
  readonly message: string;
}

const brand = Symbol.for('orch.KernelError');

/** Makes a problem from a code of a catalogue. */
export type ProblemMaker<K extends ErrorCatalogue> = <C extends keyof K & string>(
  code: C,
  parameters: TemplateParameters<K[C]>,
  place?: ProblemPlace,
) => KernelProblem;

/** The function that makes problems from the codes of this catalogue. */
export function problemsOf<K extends ErrorCatalogue>(catalogue: K): ProblemMaker<K> {
  return (code, parameters, place = {}) => ({code, message: errorText(catalogue[code]!, parameters as never), ...place});
}

/** Makes a problem from a code of the kernel's catalogue. */
export const problem: ProblemMaker<typeof kernelErrors> = problemsOf(kernelErrors);

/** A problem as one line: `plugin NAME: MESSAGE (PATH in FILE)`. */
export function problemText(fault: KernelProblem): string {
  const subject = fault.plugin === undefined ? '' : `plugin ${shownText(fault.plugin)}: `;
  const place = [fault.path, fault.file]
    .filter((part) => part !== undefined && part !== '')
    .map((part) => shownText(part!))
    .join(' in ');
  return `${subject}${fault.message}${place === '' ? '' : ` (${place})`}`;
}

/** Everything that keeps plugins from starting or stopping cleanly, found together and reported together. */
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
