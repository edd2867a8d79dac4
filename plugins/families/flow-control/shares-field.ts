import {apiVersionOf, type ApiObject} from '../../../sdk/index.js';
import type {LimitedPriorityLevel, PriorityLevelConfiguration} from './flow-types.js';

type SharesField = 'assuredConcurrencyShares' | 'nominalConcurrencyShares';

/** What a version calls the shares of a priority level: `v1beta3` renamed them. */
export function sharesField(version: string): SharesField {
  return version === 'v1beta2' ? 'assuredConcurrencyShares' : 'nominalConcurrencyShares';
}

/** The shares of a priority level, whatever the version it is in calls them. */
export function sharesOf(limited: LimitedPriorityLevel): number | undefined {
  return limited.nominalConcurrencyShares ?? limited.assuredConcurrencyShares;
}

/** A priority level in another version. Shares everything with the original but what has another name. */
export function withSharesOf(object: PriorityLevelConfiguration, to: {readonly group: string; readonly version: string}): ApiObject {
  const apiVersion = apiVersionOf(to);
  const {spec} = object;
  if (!spec?.limited) return {...object, apiVersion};
  const {nominalConcurrencyShares, assuredConcurrencyShares, ...rest} = spec.limited;
  const shares = nominalConcurrencyShares ?? assuredConcurrencyShares;
  const limited = shares === undefined ? rest : {[sharesField(to.version)]: shares, ...rest};
  return {...object, apiVersion, spec: {...spec, limited}};
}
