/** What a plugin's sources are written in. */
export type Language = 'typescript' | 'javascript';

/**
 * The text of a file from its template. Lines that begin with `ts|` or `js|` belong to one language; what stands between `«` and `»` is left out in
 * JavaScript; `{{word}}` is a value.
 *
 * @throws Error if the template names a value that there is not
 */
export function renderTemplate(template: string, language: Language, values: Readonly<Record<string, string>>): string {
  const [own, other] = language === 'typescript' ? ['ts|', 'js|'] : ['js|', 'ts|'];
  const lines = template
    .split('\n')
    .filter((line) => !line.startsWith(other))
    .map((line) => (line.startsWith(own) ? line.slice(own.length) : line));
  return lines
    .join('\n')
    .replaceAll(/«([^»]*)»/g, language === 'typescript' ? '$1' : '')
    .replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`a template names the value ${name}, which there is not`);
      return value;
    });
}
