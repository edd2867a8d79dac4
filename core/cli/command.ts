import type {ElementDeprecation} from '../../sdk/contracts/lifetimes.js';
import type {Terminal} from './terminal.js';

/** One command of `orch`. */
export interface Command {
  /** The words that call it: `['plugins', 'list']`. */
  readonly words: readonly string[];
  /** What may follow, for help: `[PATH…]`. */
  readonly parameters: string;
  /** One line, for the overview. */
  readonly summary: string;
  /** It still works; using it prints a warning. */
  readonly deprecated?: ElementDeprecation;
  /** Loads what the command needs. Help asks for nothing else. */
  load(): Promise<CommandModule>;
}

export interface CommandModule {
  /** The complete help text. */
  help(args: readonly string[], terminal: Terminal): string | Promise<string>;
  /** Does the work and returns the exit code. Anything it throws is reported as one sentence, with exit code 1. */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}
