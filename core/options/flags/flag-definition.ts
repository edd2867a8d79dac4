import type {ElementDeprecation} from '../../../sdk/contracts/lifetimes.js';

/** A command-line flag, as data: enough to parse it and to describe it. */
export interface FlagDefinition {
  /** Without the hyphens in front. */
  readonly name: string;
  /** One letter that stands for the name behind a single hyphen. */
  readonly short?: string;
  /** `list`: repeatable, or separated by commas. A boolean also takes `--no-NAME`. */
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'list';
  /** A list whose items may have commas: it can only be repeated. */
  readonly whole?: boolean;
  /** Type of the items of a list; strings by default. */
  readonly items?: 'string' | 'integer' | 'number' | 'boolean';
  /** Stands for the value in help texts. */
  readonly value?: string;
  readonly description: string;
  /** Text of the default, for help. */
  readonly default?: string;
  readonly allowed?: readonly string[];
  /** It still works; using it prints a warning. */
  readonly deprecated?: ElementDeprecation | undefined;
}
