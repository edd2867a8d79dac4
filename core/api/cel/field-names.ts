const keywords: ReadonlySet<string> = new Set([
  'true',
  'false',
  'null',
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
]);
const escapable = /^[A-Za-z_.\-/][A-Za-z0-9_.\-/]*$/;
const escapes: Readonly<Record<string, string>> = {__: '__underscores__', '.': '__dot__', '-': '__dash__', '/': '__slash__'};

/**
 * The name by which expressions access a member, escaped as in Kubernetes: `a-b` is `a__dash__b`, `namespace` is `__namespace__`. Undefined
 * for a member that cannot be accessed.
 */
export function fieldName(member: string): string | undefined {
  if (!escapable.test(member)) return undefined;
  return keywords.has(member) ? `__${member}__` : member.replace(/__|[.\-/]/g, (part) => escapes[part]!);
}

/** Whether a name means something else to the language, unless it is the name of a field. */
export function isKeyword(name: string): boolean {
  return keywords.has(name);
}
