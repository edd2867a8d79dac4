import {normalQuantity} from '../../../sdk/index.js';
import {normalDuration} from '../../../sdk/values/duration.js';
import {normalMicroTime, normalTime} from './forms/time.js';
import {normalBase64} from './forms/base64.js';
import type {SchemaNode} from './schema-node.js';

/** Why a string has no normal form. */
export interface TextProblem {
  readonly problem: string;
}

/**
 * The normal form of a string in a typed document (timestamps in UTC, canonical quantities, base64 without line breaks), or the problem.
 */
export function normalText(form: SchemaNode['form'], text: string): string | TextProblem {
  switch (form) {
    case undefined:
      return text;
    case 'bytes':
      return normalBase64(text) ?? {problem: 'illegal base64 data'};
    case 'time':
      return normalTime(text) ?? {problem: 'must be a timestamp of RFC 3339, for example 2006-01-02T15:04:05Z'};
    case 'micro-time':
      return (
        normalMicroTime(text) ?? {
          problem: 'must be a timestamp of RFC 3339 with six fractional digits, for example 2006-01-02T15:04:05.000000Z',
        }
      );
    case 'duration':
      return normalDuration(text) ?? {problem: 'must be a duration, for example 1h2m3.5s'};
    case 'quantity':
      return normalQuantity(text) ?? {problem: 'must be a quantity, for example 500m, 1.5 or 2Gi'};
  }
}
