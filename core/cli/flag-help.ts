import type {FlagDefinition} from '../options/flags/flag-definition.js';

const indent = 6;
const width = 100;

/**
 * Help text of a command.
 *
 * @param usage what is typed
 * @param about lines, as they are to be broken
 * @param flags of `flagHelp`
 */
export function helpText(usage: string, about: readonly string[], flags: string, ...examples: readonly string[]): string {
  return [`Usage: ${usage}`, '', ...about, '', flags, '', 'Examples:', ...examples.map((example) => `  ${example}`), ''].join('\n');
}

/** Help text of a list of flags: the flag, and below it what it means. */
export function flagHelp(flags: readonly FlagDefinition[]): string {
  return flags.map(describe).join('\n');
}

function describe(flag: FlagDefinition): string {
  const short = flag.short === undefined ? '' : `-${flag.short}, `;
  const head =
    flag.type === 'boolean' ? `  ${short}--[no-]${flag.name}` : `  ${short}--${flag.name} ${flag.value ?? placeholders[flag.type]}`;
  const notes = [
    flag.deprecated === undefined ? '' : `DEPRECATED since release ${flag.deprecated.since}: ${flag.deprecated.message.replace(/\.$/, '')}`,
    flag.allowed === undefined ? '' : `one of ${flag.allowed.join(', ')}`,
    flag.type === 'list' ? (flag.whole ? 'repeatable' : 'repeatable or with commas') : '',
    flag.default === undefined || flag.default === '' ? '' : `default ${flag.default}`,
  ].filter((note) => note !== '');
  const text = `${flag.description}${notes.length === 0 ? '' : `${flag.description === '' ? '' : ' '}(${notes.join('; ')})`}`;
  return text === '' ? head : `${head}\n${wrap(text)}`;
}

const placeholders = {string: 'TEXT', integer: 'N', number: 'NUMBER', boolean: '', list: 'ITEMS'} as const;

function wrap(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + word.length + 1 > width - indent) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].map((entry) => `${' '.repeat(indent)}${entry}`).join('\n');
}
