import type {Command} from './command.js';
import {commands as allCommands} from './commands.js';
import {errorText} from './error-text.js';
import {nearestName} from '../kernel/nearest-name.js';
import {obeyingNothing, processTerminal, type Terminal} from './terminal.js';
import {UsageError} from './usage-error.js';

/** Runs one command line, without the program's name. Answers the exit code: 0, or 1 when anything went wrong. */
export async function run(
  args: readonly string[],
  given: Terminal = processTerminal(),
  commands: readonly Command[] = allCommands,
): Promise<number> {
  const terminal = obeyingNothing(given);
  try {
    const command = find(args, commands);
    if (command === undefined) {
      terminal.out.write(overview(wordsOf(args), commands));
      return 0;
    }
    if (command.deprecated !== undefined)
      terminal.err.write(`Command "${command.words.join(' ')}" is deprecated, ${command.deprecated.message}\n`);
    const rest = args.slice(command.words.length);
    const module = await command.load();
    if (asksForHelp(rest)) {
      terminal.out.write(await module.help(rest, terminal));
      return 0;
    }
    return await module.run(rest, terminal);
  } catch (error) {
    terminal.err.write(`orch: ${errorText(error)}\n`);
    return 1;
  }
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).some((argument) => argument === '--help' || argument === '-h');
}

/** The words in front of the first flag. */
function wordsOf(args: readonly string[]): string[] {
  const end = args.findIndex((argument) => argument.startsWith('-'));
  return args.slice(0, end < 0 ? args.length : end);
}

/** The command that is meant, or undefined when the overview is. */
function find(args: readonly string[], commands: readonly Command[]): Command | undefined {
  if (args[0] === '--version') return commands.find((command) => command.words[0] === 'version');
  const words = wordsOf(args);
  if (words[0] === 'help') words.shift();
  const command = commands.find((candidate) => candidate.words.every((word, index) => word === words[index]));
  if (command !== undefined && args[0] !== 'help') return command;
  const group = commands.filter((candidate) => words.every((word, index) => word === candidate.words[index]));
  if (command !== undefined || words.length === 0 || group.length > 0) {
    const unknown = args.find((argument) => argument.startsWith('-') && argument !== '--help' && argument !== '-h');
    if (unknown !== undefined) throw new UsageError(`the flag ${unknown} needs a command in front, as in: orch serve ${unknown}`);
    return undefined;
  }
  const text = words.slice(0, 2).join(' ');
  const meant =
    nearestName(
      text,
      commands.map(({words: known}) => known.join(' ')),
    ) ??
    nearestName(
      words[0]!,
      commands.map(({words: known}) => known[0]!),
    );
  throw new UsageError(
    `there is no command ${JSON.stringify(text)}${meant === undefined ? '' : `; did you mean ${meant}?`} (see: orch --help)`,
  );
}

function overview(words: readonly string[], commands: readonly Command[]): string {
  const prefix = words[0] === 'help' ? words.slice(1) : words;
  const listed = commands.filter((command) => prefix.every((word, index) => word === command.words[index]));
  const usage = listed.map(
    ({words: name, parameters, summary, deprecated}) =>
      [`orch ${[...name, parameters].join(' ').trim()}`, `${summary}${deprecated === undefined ? '' : ' (DEPRECATED)'}`] as const,
  );
  const width = Math.max(...usage.map(([text]) => text.length)) + 2;
  return [
    'Orch is an API server: the resource model of Kubernetes as a plugin platform.',
    '',
    'Commands:',
    ...usage.map(([text, summary]) => `  ${text.padEnd(width)}${summary}`),
    '',
    'Every command explains itself with --help.',
    '',
    'Examples:',
    '  orch serve',
    '  orch serve --platform kubernetes --store redis://127.0.0.1:6379/0',
    '  orch plugins list',
    '',
  ].join('\n');
}
