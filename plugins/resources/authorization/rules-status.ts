import type {UserRules} from '../../../sdk/index.js';

/** Maximum total characters of all values in an answer. */
const maximumLetters = 1024 * 1024;

/** The status of a rules review. If there are too many rules, the first are listed and the answer is marked incomplete. */
export function rulesStatus({resourceRules, nonResourceRules, incomplete, error}: UserRules): object {
  let left = maximumLetters;
  const listed = <T extends object>(rules: readonly T[]) =>
    rules.filter((rule) => {
      for (const values of Object.values(rule) as (readonly string[])[]) for (const value of values) left -= value.length + 3;
      return left >= 0;
    });
  const status = {resourceRules: listed(resourceRules), nonResourceRules: listed(nonResourceRules)};
  const errors = [...(error ? [error] : []), ...(left < 0 ? [`there are more rules than an answer lists`] : [])];
  return {...status, incomplete: incomplete || left < 0, ...(errors.length > 0 ? {evaluationError: errors.join(', ')} : {})};
}
