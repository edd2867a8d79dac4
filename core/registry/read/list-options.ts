import {FieldPath, forbiddenField, type FieldError} from '../../../sdk/index.js';
import {unlistedValue} from '../unlisted-value.js';
import type {ServedVersion} from '../served-version.js';
import {invalidOptions} from '../write/invalid-options.js';

/** What these rules look at. */
interface Given {
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: string | undefined;
  readonly sendInitialEvents?: boolean | undefined;
  readonly continue?: string | undefined;
}

/** What they ask about the server. */
type Rules = Pick<ServedVersion, 'optionsVersion' | 'isEnabled'>;

const matchPath = FieldPath.of('resourceVersionMatch');
const initialPath = FieldPath.of('sendInitialEvents');
const withContinue = 'resourceVersionMatch is forbidden when continue is provided';

/** Which options of a list go together (Kubernetes' `ValidateListOptions`). @throws 422 */
export function validateList(
  rules: Rules,
  {resourceVersion, resourceVersionMatch: match, sendInitialEvents, continue: token}: Given,
): void {
  const faults: FieldError[] = [];
  if (match) {
    if (!resourceVersion) faults.push(forbiddenField(matchPath, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    if (token) faults.push(forbiddenField(matchPath, withContinue));
    if (match !== 'Exact' && match !== 'NotOlderThan') faults.push(unlistedValue(matchPath, match, ['Exact', 'NotOlderThan', '']));
    if (match === 'Exact' && resourceVersion === '0')
      faults.push(forbiddenField(matchPath, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  if (sendInitialEvents !== undefined) faults.push(forbiddenField(initialPath, 'sendInitialEvents is forbidden for list'));
  refuse(rules, faults);
}

/** Which options of a watch go together. @throws 422 */
export function validateWatch(rules: Rules, {resourceVersionMatch: match, sendInitialEvents, continue: token}: Given): void {
  const faults: FieldError[] = [];
  if (sendInitialEvents !== undefined) {
    if (match !== 'NotOlderThan')
      faults.push(forbiddenField(matchPath, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
    if (!rules.isEnabled('WatchList'))
      faults.push(forbiddenField(initialPath, 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled'));
  }
  if (match) {
    if (sendInitialEvents === undefined)
      faults.push(forbiddenField(matchPath, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
    if (match !== 'NotOlderThan') faults.push(unlistedValue(matchPath, match, ['NotOlderThan']));
    if (token) faults.push(forbiddenField(matchPath, withContinue));
  }
  refuse(rules, faults);
}

function refuse({optionsVersion}: Rules, faults: readonly FieldError[]): void {
  if (faults.length > 0) throw invalidOptions(optionsVersion, 'ListOptions', faults);
}
