import type {ControllersCase} from './measure-controllers.js';
import {tableText} from './table-text.js';

/** The cost of the controllers as a table. */
export function controllersReport(cases: readonly ControllersCase[]): string {
  const table = tableText([
    ['compared to a server without', 'CPU s/1000', 'without', 'times', 'middle half'],
    ...cases.map(({without, own, other, ratio, lower, upper}) => [
      without,
      own.toFixed(4),
      other.toFixed(4),
      ratio.toFixed(3),
      `${lower.toFixed(3)} to ${upper.toFixed(3)}`,
    ]),
  ]);
  return `memory: what the controllers cost the creation of a ConfigMap without owners; "times" is CPU over that without, in the same round\n${table}`;
}
