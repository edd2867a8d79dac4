import type {ExpressionCase} from '../../../test/expressions/expression-case.js';
import {everything, full, kinds, sparse} from './schemas.js';

const binary = ['+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', 'in', '&&', '||'];

/** Each operator between values of the same kind, and with the kinds that are most often confused. */
export function operatorCases(): ExpressionCase[] {
  const cases: ExpressionCase[] = [];
  const add = (kind: string, expression: string) =>
    cases.push({kind, schema: everything, rule: {rule: `dyn(${expression}) != dyn('')`}, values: [{value: full}, {value: sparse}]});
  for (const operator of binary)
    for (const [kind, value] of Object.entries(kinds)) {
      add(`operator ${operator}`, `${value} ${operator} ${value}`);
      if (kind !== 'int') add(`operator ${operator}`, `${value} ${operator} self.i`);
      if (kind !== 'strings') add(`operator ${operator}`, `${value} ${operator} self.ls`);
      if (kind === 'double' || kind === 'intOrString' || kind === 'object') add(`operator ${operator}`, `'a' ${operator} ${value}`);
    }
  for (const value of Object.values(kinds)) {
    for (const operator of ['!', '-']) add(`operator ${operator}`, `${operator}${value}`);
    add('operator ?:', `${value} ? 1 : 2`);
    add('operator ?:', `self.b ? ${value} : self.i`);
    add('operator []', `${value}[0]`);
    add('operator []', `${value}['a']`);
    add('operator []', `${value}[?0]`);
    add('operator .', `${value}.a`);
    add('operator .', `${value}.?a`);
    add('operator .', `has(${value}.a)`);
    add('operator {}', `[${value}, 1]`);
    add('operator {}', `{'a': ${value}, 'b': 'c'}`);
    add('operator {}', `{${value}: 1}`);
    add('macro all', `${value}.all(e, e == e)`);
    add('macro map', `${value}.map(e, e)`);
    add('macro two variables', `${value}.all(k, v, k == k)`);
    add('macro two variables', `${value}.transformList(k, v, v)`);
  }
  return cases;
}
