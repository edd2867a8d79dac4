import {problem, type KernelProblem} from '../kernel-error.js';
import {nameHint} from '../nearest-name.js';

/** Names of plugins as given by an operator: names, and patterns in which `*` matches any part of a name. */
export class PluginNames {
  /** Given by name. */
  readonly named: ReadonlySet<string>;
  /** Those that a pattern matches and that are not given by name. */
  readonly matched: ReadonlySet<string>;

  /**
   * @param path the source of the names, for messages
   * @param problems gets names and patterns that match no plugin
   */
  constructor(given: readonly string[], known: ReadonlySet<string>, path: string, problems: KernelProblem[]) {
    const named = new Set<string>();
    const matched = new Set<string>();
    for (const text of given) {
      const found = text.includes('*') ? [...known].filter(patternOf(text)) : [text].filter((name) => known.has(name));
      if (found.length === 0) problems.push(problem('UNKNOWN_PLUGIN', {name: text, hint: nameHint(text, known)}, {path}));
      for (const name of found) (text.includes('*') ? matched : named).add(name);
    }
    this.named = named;
    this.matched = new Set([...matched].filter((name) => !named.has(name)));
  }

  /** All of them. */
  get all(): readonly string[] {
    return [...this.named, ...this.matched];
  }
}

function patternOf(pattern: string): (name: string) => boolean {
  // Names have no other characters.
  if (!/^[a-z0-9*-]+$/.test(pattern)) return () => false;
  const expression = new RegExp(`^${pattern.replaceAll(/\*+/g, '.*')}$`);
  return (name) => expression.test(name);
}
