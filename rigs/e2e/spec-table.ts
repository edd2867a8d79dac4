import {needOf} from './needs.js';
import type {Spec} from './specs.js';

/** Results of servers, by the texts of specs; a server that was not asked about a spec has none. */
export interface Column {
  readonly title: string;
  readonly specs: ReadonlyMap<string, Spec>;
}

/** Specs with what has become of them, in Markdown, and how many there are of each kind. */
export function specTable(all: readonly Spec[], columns: readonly Column[]): string {
  const rows = all
    .map(({text}) => ({text, need: needOf(text)}))
    .toSorted((one, other) => (one.text < other.text ? -1 : 1))
    .map(
      ({text, need}) =>
        `| ${[text.replaceAll('|', '\\|'), need ?? 'can be run', ...columns.map(({specs}) => cell(specs.get(text)))].join(' | ')} |`,
    );
  return [
    ...countsOf(all, columns),
    '',
    `| spec | needs | ${columns.map(({title}) => title).join(' | ')} |`,
    `| --- | --- | ${columns.map(() => '---').join(' | ')} |`,
    ...rows,
    '',
  ].join('\n');
}

/** One line about the specs, and one for each server. */
export function countsOf(all: readonly Spec[], columns: readonly Column[]): string[] {
  const without = new Map<string, number>();
  for (const {text} of all) {
    const need = needOf(text);
    if (need !== undefined) without.set(need, (without.get(need) ?? 0) + 1);
  }
  const left = [...without].map(([need, count]) => `${need}: ${count}`).join(', ');
  const total = [...without.values()].reduce((sum, count) => sum + count, 0);
  return [
    `${all.length} specs, of which ${all.length - total} can be run. What others need: ${left || 'nothing'}.`,
    ...columns.map(({title, specs}) => {
      const count = (outcome: Spec['outcome']) => [...specs.values()].filter((spec) => spec.outcome === outcome).length;
      return `- ${title}: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped by themselves`;
    }),
  ];
}

function cell(spec: Spec | undefined): string {
  return spec === undefined ? '-' : `${spec.outcome} (${spec.seconds.toFixed(1)} s)`;
}
