/** `require-owner` → `RequireOwner`. */
export function pascalCase(name: string): string {
  return name
    .split('-')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');
}

/** The names of a resource type that a plugin called `name` is likely to mean: its plural is the plugin's name. */
export function resourceNames(name: string): {plural: string; singular: string; kind: string} {
  const word = name.replaceAll('-', '');
  const singular = word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
  const plural =
    word !== singular ? word : /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : /(s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
  const kind = pascalCase(name);
  return {plural, singular, kind: word === singular ? kind : singular.endsWith('y') ? `${kind.slice(0, -3)}y` : kind.slice(0, -1)};
}

export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The range of kernels that a plugin written now may count on. */
export function kernelRange(version: string): string {
  return `^${version.split('-')[0]!}`;
}

/** A name without the word for the kind at its end: `my-controller` → `my`. What the templates make of it has the word again. */
export function stemOf(name: string, kind: string): string {
  return name.endsWith(`-${kind}`) ? name.slice(0, -kind.length - 1) : name;
}
