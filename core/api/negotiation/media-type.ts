/** A media type with its parameters. Type and parameter names are in lower case, values as they were sent. */
export interface MediaType {
  /** `type/subtype`. */
  readonly essence: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const essencePattern = new RegExp(`^(${token}/${token})\\s*(?:;|$)`);
const parameterPattern = new RegExp(`\\s*(${token})\\s*=\\s*(?:(${token})|"((?:[^"\\\\]|\\\\.)*)"|([^;"]*))\\s*(?:;|$)`, 'y');

/** Reads a media type, or returns undefined when the text is none. Of a parameter that stands twice the first counts. */
export function parseMediaType(text: string): MediaType | undefined {
  const trimmed = text.trim();
  const match = essencePattern.exec(trimmed);
  if (match === null) return undefined;
  const parameters = new Map<string, string>();
  let offset = match[0].length;
  while (offset < trimmed.length) {
    const separator = /\s*;/y;
    separator.lastIndex = offset;
    if (separator.test(trimmed)) {
      offset = separator.lastIndex;
      continue;
    }
    parameterPattern.lastIndex = offset;
    const parameter = parameterPattern.exec(trimmed);
    if (parameter === null) return undefined;
    offset = parameterPattern.lastIndex;
    const name = parameter[1]!.toLowerCase();
    const value = parameter[2] ?? parameter[3]?.replace(/\\(.)/g, '$1') ?? parameter[4]!.trim();
    if (!parameters.has(name)) parameters.set(name, value);
  }
  return {essence: match[1]!.toLowerCase(), parameters};
}
