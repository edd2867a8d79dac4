/** Warnings about one object: no more are looked for, as who writes it decides how long its lists are. Answers show fewer. */
const mostWarnings = 100;

/** The first hundred of the warnings about an object, which are made as they are asked for. */
export function firstWarnings(warnings: Iterable<string>): string[] {
  const texts: string[] = [];
  for (const text of warnings) {
    texts.push(text);
    if (texts.length === mostWarnings) break;
  }
  return texts;
}
