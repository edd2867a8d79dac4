import type {FlagDefinition} from '../options/flags/flag-definition.js';
import {nearestName} from '../kernel/nearest-name.js';
import {removedElements} from '../lifetimes/removed-elements.js';
import {UsageError} from './usage-error.js';

/** A command line, understood. */
export interface ParsedArguments {
  /** By flag name; only flags that were given. Lists are arrays. */
  readonly flags: ReadonlyMap<string, unknown>;
  readonly positionals: readonly string[];
  /** One for each deprecated flag that was given, in the order of the command line. */
  readonly warnings: readonly string[];
}

/**
 * Reads arguments by a table of flags: `--flag value`, `--flag=value`, `-f value`, `--flag` and `--no-flag` for booleans, lists repeatedly or with commas.
 * After `--` nothing is a flag. If a flag that is not a list is repeated, the last one counts.
 *
 * @throws UsageError
 */
export function parseFlags(args: readonly string[], table: readonly FlagDefinition[]): ParsedArguments {
  const byName = new Map(table.map((flag) => [flag.name, flag]));
  const byLetter = new Map(table.flatMap((flag) => (flag.short === undefined ? [] : [[flag.short, flag] as const])));
  const flags = new Map<string, unknown>();
  const positionals: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const argument = args[index]!;
    if (argument === '--') {
      positionals.push(...args.slice(index + 1));
      break;
    }
    if (!argument.startsWith('-') || argument === '-') {
      positionals.push(argument);
      continue;
    }
    const {name, inline} = split(argument);
    const negated = argument.startsWith('--no-') ? byName.get(name.slice(3)) : undefined;
    const flag = argument.startsWith('--') ? (byName.get(name) ?? (negated?.type === 'boolean' ? negated : undefined)) : byLetter.get(name);
    if (flag === undefined) throw unknownFlag(argument.split('=', 1)[0]!, table);
    if (flag === negated) {
      if (inline !== undefined) throw new UsageError(`--${name} takes no value`);
      flags.set(flag.name, false);
    } else if (flag.type === 'boolean') {
      flags.set(flag.name, inline === undefined ? true : scalar(flag, 'boolean', inline));
    } else {
      const text = inline ?? args[++index];
      if (text === undefined || (inline === undefined && text.startsWith('--'))) {
        throw new UsageError(`--${flag.name} needs a value, as in: --${flag.name} ${flag.value ?? 'VALUE'}`);
      }
      if (flag.type === 'list') flags.set(flag.name, [...((flags.get(flag.name) as unknown[] | undefined) ?? []), ...items(flag, text)]);
      else flags.set(flag.name, scalar(flag, flag.type, text));
    }
  }
  return {flags, positionals, warnings: [...flags.keys()].flatMap((name) => deprecationWarning(byName.get(name)!))};
}

/** As other tools of the platform word it. */
function deprecationWarning({name, deprecated}: FlagDefinition): string[] {
  return deprecated === undefined ? [] : [`Flag --${name} has been deprecated, ${deprecated.message}`];
}

function split(argument: string): {name: string; inline: string | undefined} {
  const body = argument.replace(/^--?/, '');
  const at = body.indexOf('=');
  return at < 0 ? {name: body, inline: undefined} : {name: body.slice(0, at), inline: body.slice(at + 1)};
}

function unknownFlag(text: string, table: readonly FlagDefinition[]): UsageError {
  const removed = removedElements.find(({name}) => name === text);
  if (removed !== undefined)
    return new UsageError(`the flag ${text} was removed in release ${removed.deprecated.removal}: ${removed.deprecated.message}`);
  const meant = nearestName(
    text.replace(/^-+/, ''),
    table.map((flag) => flag.name),
  );
  return new UsageError(`there is no flag ${text}${meant === undefined ? '; --help lists all' : `; did you mean --${meant}?`}`);
}

function items(flag: FlagDefinition, text: string): unknown[] {
  if (flag.whole) return [scalar(flag, flag.items ?? 'string', text)];
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => scalar(flag, flag.items ?? 'string', item));
}

function scalar(flag: FlagDefinition, type: 'string' | 'integer' | 'number' | 'boolean', text: string): string | number | boolean {
  const value = convert(type, text);
  if (value === undefined) throw new UsageError(`--${flag.name} must be ${names[type]}, not ${JSON.stringify(text)}`);
  if (flag.allowed !== undefined && !flag.allowed.includes(String(value))) {
    throw new UsageError(`--${flag.name} must be one of ${flag.allowed.join(', ')}, not ${JSON.stringify(text)}`);
  }
  return value;
}

const names = {string: 'a string', integer: 'a whole number', number: 'a number', boolean: 'true or false'} as const;

function convert(type: keyof typeof names, text: string): string | number | boolean | undefined {
  switch (type) {
    case 'string':
      return text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'integer':
      return /^[+-]?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
    case 'number':
      return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
  }
}
