import {apiVersionOf, type ApiObject} from '../../../sdk/index.js';
import type {LimitedPriorityLevel, PriorityLevelConfiguration} from './flow-types.js';

type SharesField = 'assuredConcurrencyShares' | 'nominalConcurrencyShares';

/** The field with the shares of a priority level in a version: `v1beta3` renamed it. */
export function sharesField(version: string): SharesField {
  return version === 'v1beta2' ? 'assuredConcurrencyShares' : 'nominalConcurrencyShares';
}

/** The shares of a priority level in either version. */
export function sharesOf(limited: LimitedPriorityLevel): number | undefined {
  return limited.nominalConcurrencyShares ?? limited.assuredConcurrencyShares;
}

/** Converts a priority level to another version. Shares everything but the renamed field with the original. */
export function withSharesOf(object: PriorityLevelConfiguration, to: {readonly group: string; readonly version: string}): ApiObject {
  const apiVersion = apiVersionOf(to);
  const {spec} = object;
  if (!spec?.limited) return {...object, apiVersion};
  const {nominalConcurrencyShares, assuredConcurrencyShares, ...rest} = spec.limited;
  const shares = nominalConcurrencyShares ?? assuredConcurrencyShares;
  const limited = shares === undefined ? rest : {[sharesField(to.version)]: shares, ...rest};
  return {...object, apiVersion, spec: {...spec, limited}};
}
