import {Regexp} from './regexp/regexp.js';
import {RegexpSyntaxError} from './regexp/syntax.js';

/** Why a regular expression cannot be used; undefined when it can. */
export function patternFault(pattern: string): string | undefined {
  try {
    new Regexp(pattern);
    return undefined;
  } catch (error) {
    if (!(error instanceof RegexpSyntaxError)) throw error;
    return error.message;
  }
}
