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
const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;
const escapes: Readonly<Record<string, string>> = {__: '__underscores__', '.': '__dot__', '-': '__dash__', '/': '__slash__'};

/**
 * The names by which expressions access a member: escaped as in Kubernetes (`a-b` is `a__dash__b`, `namespace` is `__namespace__`), and
 * unescaped if that is valid syntax. Empty for members that cannot be accessed.
 */
export function fieldNames(member: string): readonly string[] {
  if (!escapable.test(member)) return [];
  if (keywords.has(member)) return [`__${member}__`, member];
  const escaped = member.replace(/__|[.\-/]/g, (part) => escapes[part]!);
  return escaped !== member && identifier.test(member) ? [escaped, member] : [escaped];
}
