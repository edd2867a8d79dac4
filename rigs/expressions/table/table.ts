import type {ExpressionCase} from '../../../test/expressions/expression-case.js';
import {costCases} from './costs.js';
import {definitionCases} from './definitions.js';
import {functionCases} from './functions.js';
import {operatorCases} from './operators.js';
import {ruleCases} from './rules.js';
import {syntaxCases} from './syntax.js';
import {valueCases} from './values.js';

/** All expressions that servers are compared by, each of them once. */
export function makeTable(): ExpressionCase[] {
  const seen = new Map<string, ExpressionCase>();
  for (const one of [valueCases, syntaxCases, ruleCases, definitionCases, costCases, functionCases, operatorCases].flatMap((make) =>
    make(),
  ))
    seen.set(JSON.stringify([one.schema, one.rule]), one);
  return [...seen.values()];
}
