/** `"a", "b"` */
export function quoted(texts: Iterable<string>): string {
  return [...texts].map((text) => `"${text}"`).join(', ');
}

/** `container "a"` or `containers "a", "b"` */
export function named(word: string, names: readonly string[]): string {
  return `${plural(word, names.length)} ${quoted(names)}`;
}

export function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`;
}

/** Where a value is set: in the pod itself, in some of its containers, or both. */
export function setters(isPod: boolean, containers: readonly string[]): string {
  return [...(isPod ? ['pod'] : []), ...(containers.length > 0 ? [named('container', containers)] : [])].join(' and ');
}
