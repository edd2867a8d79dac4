import {splitOutsideQuotes} from './split-outside-quotes.js';

/** A media type with its parameters. Type and parameter names are in lower case; values are as sent. */
export interface MediaType {
  /** `type/subtype`. */
  readonly essence: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const essencePattern = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/;
const tokenPattern = /^[\w!#$%&'*+.^`|~-]+$/;

/** Parses a media type; undefined if it is malformed. The first of repeated parameters counts. */
export function parseMediaType(text: string): MediaType | undefined {
  const [essence = '', ...rest] = splitOutsideQuotes(text, ';').map((part) => part.trim());
  if (!essencePattern.test(essence)) return undefined;
  const parameters = new Map<string, string>();
  for (const part of rest) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(equals, 0)).trim().toLowerCase();
    const value = parameterValue(part.slice(equals + 1).trim());
    if (!tokenPattern.test(name) || value === undefined) return undefined;
    if (!parameters.has(name)) parameters.set(name, value);
  }
  return {essence: essence.toLowerCase(), parameters};
}

/** A quoted string without its quotes, or an unquoted one as it is; undefined if the closing quote is missing. */
function parameterValue(text: string): string | undefined {
  if (!text.includes('"')) return text;
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return undefined;
  let value = '';
  for (let offset = 1; offset < text.length - 1; offset++) {
    if (text[offset] === '"') return undefined;
    if (text[offset] === '\\') offset++;
    // A backslash before the last quote leaves the string open.
    if (offset === text.length - 1) return undefined;
    value += text[offset];
  }
  return value;
}
