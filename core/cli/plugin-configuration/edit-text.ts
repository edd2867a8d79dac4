import {isDeepStrictEqual} from 'node:util';

/** What the configuration file says of a plugin that was added. */
export interface AddedPlugin {
  readonly from: string;
}

type Contents = {readonly plugins?: Readonly<Record<string, unknown>>} & Readonly<Record<string, unknown>>;

/**
 * The text of a configuration file with one more plugin. Comments and everything else stay as they are.
 *
 * @returns undefined if the text has a form in which that cannot be done
 */
export async function withPlugin(text: string, name: string, entry: AddedPlugin): Promise<string | undefined> {
  const contents = await parse(text);
  const wanted: Contents = {...contents, plugins: {...contents.plugins, [name]: entry}};
  if (isJson(text)) return asJson(text, wanted);
  return firstRight([inFlow(text, name, entry), inBlock(text, name, entry)], wanted);
}

/**
 * The text of a configuration file without a plugin.
 *
 * @returns undefined if the text has a form in which that cannot be done
 */
export async function withoutPlugin(text: string, name: string): Promise<string | undefined> {
  const contents = await parse(text);
  const {[name]: _, ...plugins} = contents.plugins ?? {};
  const {plugins: _all, ...rest} = contents;
  const wanted = {...rest, plugins};
  if (isJson(text)) return asJson(text, wanted);
  const candidates = [outOfBlock(text, name), outOfFlow(text, name)];
  // A block without entries has no value; without the key it says the same.
  return (await firstRight(candidates, wanted)) ?? firstRight([outOfBlock(text, name)?.replace(/^plugins:[ \t]*(#.*)?\n/m, '')], rest);
}

/** The lines to add by hand. */
export function pluginLines(name: string, {from}: AddedPlugin): string {
  return `plugins:\n  ${name}:\n    from: ${scalar(from)}\n`;
}

/** What is parsed as wanted is right, however it came about. */
async function firstRight(candidates: readonly (string | undefined)[], wanted: object): Promise<string | undefined> {
  for (const candidate of candidates) {
    if (candidate === undefined) continue;
    const parsed = await parse(candidate).catch(() => undefined);
    if (isDeepStrictEqual(parsed, wanted)) return candidate;
  }
  return undefined;
}

async function parse(text: string): Promise<Contents> {
  if (isJson(text)) return JSON.parse(text) as Contents;
  if (text.split('\n').every((line) => /^\s*(#|$)/.test(line))) return {};
  const {load} = await import('js-yaml');
  const value = load(text) as Contents | null;
  return value?.plugins === null ? {...value, plugins: {}} : (value ?? {});
}

function isJson(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function asJson(text: string, value: object): string {
  const indent = /^\{\r?\n([ \t]+)/.exec(text.trimStart())?.[1] ?? 2;
  return `${JSON.stringify(value, null, indent)}\n`;
}

/** `plugins: {a: …}` */
function inFlow(text: string, name: string, {from}: AddedPlugin): string | undefined {
  return /^plugins:[ \t]*\{/m.test(text)
    ? text.replace(
        /^(plugins:[ \t]*\{\s*)(\}?)/m,
        (_, before: string, end: string) => `${before}${name}: {from: ${JSON.stringify(from)}}${end || ', '}`,
      )
    : undefined;
}

/** The lines of the block of `plugins`, or a new one at the end. */
function inBlock(text: string, name: string, entry: AddedPlugin): string | undefined {
  const lines = text.split('\n');
  const block = blockOf(lines, /^plugins:\s*(#.*)?$/, 0);
  if (!block) return `${text === '' || text.endsWith('\n') ? text : `${text}\n`}${pluginLines(name, entry)}`;
  const indent = indentOf(lines.slice(block.start + 1, block.end)) || '  ';
  lines.splice(block.end, 0, `${indent}${name}:`, `${indent}${indent}from: ${scalar(entry.from)}`);
  return lines.join('\n');
}

function outOfBlock(text: string, name: string): string | undefined {
  const lines = text.split('\n');
  const plugins = blockOf(lines, /^plugins:\s*(#.*)?$/, 0);
  if (!plugins) return undefined;
  const entry = blockOf(lines, new RegExp(`^\\s+["']?${name}["']?:(\\s|$)`), plugins.start + 1, plugins.end);
  if (!entry) return undefined;
  lines.splice(entry.start, entry.end - entry.start);
  return lines.join('\n');
}

function outOfFlow(text: string, name: string): string | undefined {
  return text.replace(new RegExp(`(?<=[{,\\s])["']?${name}["']?:\\s*\\{[^{}]*\\}\\s*(,\\s*)?`), '').replace(/,\s*\}/, '}');
}

/** A line that matches and those below it that are further in, without blank lines and comments at their end. */
function blockOf(lines: readonly string[], pattern: RegExp, from: number, to = lines.length): {start: number; end: number} | undefined {
  const start = lines.findIndex((line, index) => index >= from && index < to && pattern.test(line));
  if (start < 0) return undefined;
  const depth = depthOf(lines[start]!);
  let end = start + 1;
  for (let index = end; index < to; index++) {
    const line = lines[index]!;
    if (/^\s*(#|$)/.test(line)) continue;
    if (depthOf(line) <= depth) break;
    end = index + 1;
  }
  return {start, end};
}

function indentOf(lines: readonly string[]): string {
  const first = lines.find((line) => !/^\s*(#|$)/.test(line)) ?? '';
  return /^\s*/.exec(first)![0];
}

function depthOf(line: string): number {
  return /^\s*/.exec(line)![0].length;
}

/** Plain where YAML takes it for a text, otherwise in quotes. */
function scalar(text: string): string {
  return /^[./\w@][\w./@+-]*$/.test(text) && /[a-z./]/i.test(text) && !/^(true|false|null|yes|no|on|off|~)$/i.test(text)
    ? text
    : JSON.stringify(text);
}
