import type {ExpressionCase} from '../../../test/expressions/expression-case.js';
import {otherValues} from './other-values.js';
import {plainValues} from './plain-values.js';
import {everything, full, sparse} from './schemas.js';
import {structuredValues} from './structured-values.js';

/** What expressions evaluate to: `%s` tells it in the message, except for booleans. */
const values: Readonly<Record<string, readonly string[]>> = {...plainValues, ...structuredValues, ...otherValues};

export function valueCases(): ExpressionCase[] {
  return Object.entries(values).flatMap(([about, expressions]) =>
    expressions.flatMap((expression): ExpressionCase[] => {
      const seen = [{value: full}, {value: sparse}];
      return [
        {kind: `value ${about}`, schema: everything, rule: {rule: expression}, values: seen},
        {
          kind: `value ${about}`,
          schema: everything,
          rule: {rule: `dyn(${expression}) == dyn('?')`, messageExpression: `'%s'.format([${expression}])`},
          values: seen,
        },
      ];
    }),
  );
}
