import type {Container} from '../../../../sdk/types/unchecked/core/v1.js';
import type {Defaults} from './behaviour.js';

const shells = new Set(['sh', 'ash', 'bash', 'dash']);
const units = {s: 1, m: 60, h: 3600, d: 86_400} as const;

/** What a command does: how long it takes in seconds, and its exit code. */
interface Run {
  readonly seconds: number;
  readonly code: number;
  /** Nothing of a script comes behind it. */
  readonly isLast?: boolean;
}

/**
 * How a container behaves whose command plainly says how long it runs and how it ends: `sleep`, `true`, `false`, `exit`, and scripts of these for a shell. The image `pause` never ends.
 * Empty for every other one, which could do anything.
 */
export function commandWords({command, args, image = ''}: Container): Defaults {
  const words = [...(command ?? []), ...(args ?? [])];
  if ((command ?? []).length === 0) return words.length === 0 && /(?:^|\/)pause(?:[:@]|$)/.test(image) ? {after: 'never'} : {};
  const run = runOfCommand(words);
  if (!run) return {};
  return run.seconds === Infinity ? {after: 'never'} : {after: `${run.seconds}s`, 'exit-code': String(run.code)};
}

/** How long a command takes that plainly says so, in seconds (`Infinity` for one that never ends); undefined for every other one. */
export function commandSeconds(words: readonly string[]): number | undefined {
  return runOfCommand(words)?.seconds;
}

function runOfCommand(words: readonly string[]): Run | undefined {
  const [program = '', first, ...others] = words;
  const isScript = shells.has(nameOf(program)) && first === '-c' && others.length === 1;
  return isScript ? runOfScript(others[0]!) : runOf(words);
}

/** Commands one after the other; `&&` goes on behind those that have no code but 0. */
function runOfScript(script: string): Run | undefined {
  const parts = script.trim().split(/\s*(&&|;|\n)\s*/);
  let seconds = 0;
  let code = 0;
  for (let place = 0; place < parts.length; place += 2) {
    if (parts[place] === '') continue;
    const run = runOf(parts[place]!.replace(/^exec\s+/, '').split(/\s+/));
    if (!run) return undefined;
    seconds += run.seconds;
    ({code} = run);
    if (run.isLast || (code !== 0 && parts[place + 1] === '&&')) break;
  }
  return {seconds, code};
}

function runOf([program = '', ...operands]: readonly string[]): Run | undefined {
  switch (nameOf(program)) {
    case 'true':
      return {seconds: 0, code: 0};
    case 'false':
      return {seconds: 0, code: 1};
    case 'exit':
      return operands.length <= 1 && /^\d{0,3}$/.test(operands[0] ?? '')
        ? {seconds: 0, code: Number(operands[0] ?? 0) & 255, isLast: true}
        : undefined;
    case 'sleep':
      return sleep(operands);
    default:
      return undefined;
  }
}

/** `sleep 5`, `sleep 1h 30m`, `sleep infinity`. */
function sleep(operands: readonly string[]): Run | undefined {
  let seconds = 0;
  for (const operand of operands) {
    const [, number, unit = 's'] = /^(\d{1,9}(?:\.\d{1,3})?|inf(?:inity)?)([smhd])?$/.exec(operand) ?? [];
    if (number === undefined) return undefined;
    seconds += number.startsWith('inf') ? Infinity : Number(number) * units[unit as keyof typeof units];
  }
  return operands.length === 0 ? undefined : {seconds, code: 0};
}

function nameOf(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1);
}
