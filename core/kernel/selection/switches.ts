import type {Switches} from './selection-options.js';

const spellings = new Map([
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['t', true],
  ['T', true],
  ['1', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
  ['f', false],
  ['F', false],
  ['0', false],
]);

/**
 * Reads switches into a map. Of repeated names the last one counts. Texts may hold several, separated by commas.
 *
 * @param bare whether a name alone means true
 * @param onInvalid called with every string that is not a switch
 */
export function readSwitches(switches: Switches | undefined, bare: boolean, onInvalid: (text: string) => void): Map<string, boolean> {
  if (switches === undefined) return new Map();
  if (!isList(switches)) return new Map(Object.entries(switches));
  const result = new Map<string, boolean>();
  for (const text of switches.flatMap((entry) => entry.split(',')).map((entry) => entry.trim())) {
    if (text === '') continue;
    const [name, value] = split(text);
    const on = value === undefined ? (bare ? true : undefined) : spellings.get(value);
    if (name === '' || on === undefined) onInvalid(text);
    else result.set(name, on);
  }
  return result;
}

function isList(switches: Switches): switches is readonly string[] {
  return Array.isArray(switches);
}

function split(text: string): [string, string | undefined] {
  const at = text.indexOf('=');
  return at < 0 ? [text, undefined] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
