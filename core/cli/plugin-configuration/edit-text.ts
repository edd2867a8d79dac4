import {isDeepStrictEqual} from 'node:util';
import type {PluginConfiguration} from '../../kernel/selection/plugins-configuration.js';
import {withValueAt} from './yaml-lines.js';

type Contents = {readonly plugins?: Readonly<Record<string, unknown>>} & Readonly<Record<string, unknown>>;

/**
 * The text of a configuration file in which a plugin has another entry, or is added. Comments and everything else stay as they are.
 *
 * @returns undefined if the text has a form in which that cannot be done
 */
export async function withPlugin(text: string, name: string, entry: PluginConfiguration): Promise<string | undefined> {
  const contents = await parse(text);
  const known = contents.plugins?.[name] as PluginConfiguration | null | undefined;
  const wanted: Contents = {...contents, plugins: {...contents.plugins, [name]: entry}};
  if (isJson(text)) return asJson(text, wanted);
  const edited = known ? await withMembers(text, ['plugins', name], known, entry) : undefined;
  const candidates = [
    edited,
    known ? undefined : await inFlow(text, name, entry),
    await withValueAt(text, ['plugins', name], entry),
    /^plugins:[ \t]*\{/m.test(text) ? await withValueAt(text, ['plugins'], wanted.plugins) : undefined,
  ];
  return firstRight(candidates, wanted);
}

/**
 * The text of a configuration file without a plugin; without the key `plugins` if it was the last.
 *
 * @returns undefined if the text has a form in which that cannot be done
 */
export async function withoutPlugin(text: string, name: string): Promise<string | undefined> {
  const contents = await parse(text);
  const {[name]: _, ...plugins} = contents.plugins ?? {};
  const {plugins: _all, ...rest} = contents;
  if (Object.keys(plugins).length === 0)
    return isJson(text) ? asJson(text, rest) : firstRight([await withValueAt(text, ['plugins'], undefined)], rest);
  const wanted = {...contents, plugins};
  if (isJson(text)) return asJson(text, wanted);
  return firstRight([await withValueAt(text, ['plugins', name], undefined), outOfFlow(text, name)], wanted);
}

/** The lines to add by hand. */
export async function pluginLines(name: string, entry: PluginConfiguration): Promise<string> {
  return (await withValueAt('', ['plugins', name], entry))!;
}

/** The values of a configuration file's text. @throws what the parser throws */
export async function parse(text: string): Promise<Contents> {
  if (isJson(text)) return JSON.parse(text) as Contents;
  if (text.split('\n').every((line) => /^\s*(#|$)/.test(line))) return {};
  const {load} = await import('js-yaml');
  const value = load(text) as Contents | null;
  return value?.plugins === null ? {...value, plugins: {}} : (value ?? {});
}

/** Edits each member that differs by itself, down to the settings, so that comments elsewhere stay. */
async function withMembers(text: string, path: readonly string[], before: object, after: object): Promise<string | undefined> {
  let edited: string | undefined = text;
  const [old, next] = [new Map<string, unknown>(Object.entries(before)), new Map<string, unknown>(Object.entries(after))];
  for (const key of new Set([...old.keys(), ...next.keys()])) {
    const [from, to] = [old.get(key), next.get(key)];
    if (isDeepStrictEqual(from, to) || edited === undefined) continue;
    const isInner: boolean = key === 'config' && isMapping(from) && isMapping(to) && Object.keys(to).length > 0;
    const inner: string | undefined = isInner ? await withMembers(edited, [...path, key], from as object, to as object) : undefined;
    edited = inner ?? (await withValueAt(edited, [...path, key], to));
  }
  return edited;
}

function isMapping(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
}

/** The first candidate that parses to what is wanted. */
async function firstRight(candidates: readonly (string | undefined)[], wanted: object): Promise<string | undefined> {
  for (const candidate of candidates) {
    if (candidate === undefined) continue;
    const parsed = await parse(candidate).catch(() => undefined);
    if (isDeepStrictEqual(parsed, wanted)) return candidate;
  }
  return undefined;
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
async function inFlow(text: string, name: string, entry: PluginConfiguration): Promise<string | undefined> {
  if (!/^plugins:[ \t]*\{/m.test(text)) return undefined;
  const {dump} = await import('js-yaml');
  const value = dump(entry, {flowLevel: 0, lineWidth: -1, noRefs: true}).trim();
  return text.replace(/^(plugins:[ \t]*\{\s*)(\}?)/m, (_, before: string, end: string) => `${before}${name}: ${value}${end || ', '}`);
}

function outOfFlow(text: string, name: string): string | undefined {
  return text.replace(new RegExp(`(?<=[{,\\s])["']?${name}["']?:\\s*\\{(?:[^{}]|\\{[^{}]*\\})*\\}\\s*(,\\s*)?`), '').replace(/,\s*\}/, '}');
}
