import {apiVersionOf, type ApiObject, type NamingProfile} from '../../../sdk/index.js';
import type {LimitedPriorityLevel, PriorityLevelConfiguration} from './flow-types.js';

type SharesField = 'assuredConcurrencyShares' | 'nominalConcurrencyShares';

/**
 * The annotation that says in `v1beta3` that 0 shares are meant: without it they are an absent value there, and the default applies. Objects
 * have it in no other version.
 */
export function zeroSharesAnnotation(naming: Pick<NamingProfile, 'key'>): string {
  return naming.key('flowcontrol.orch/v1beta3-preserve-zero-concurrency-shares');
}

/** The field with the shares of a priority level in a version: `v1beta3` renamed it. */
export function sharesField(version: string): SharesField {
  return version === 'v1beta2' ? 'assuredConcurrencyShares' : 'nominalConcurrencyShares';
}

/** The shares of a priority level in any version. */
export function sharesOf(limited: LimitedPriorityLevel): number | undefined {
  return limited.nominalConcurrencyShares ?? limited.assuredConcurrencyShares;
}

/** Converts a priority level to another version. Shares everything but the fields that differ with the original. */
export function withSharesOf(
  object: PriorityLevelConfiguration,
  to: {readonly group: string; readonly version: string},
  zeroAnnotation: string,
): ApiObject {
  const apiVersion = apiVersionOf(to);
  const {metadata, spec} = object;
  if (!spec?.limited) return {...object, apiVersion};
  const {nominalConcurrencyShares, assuredConcurrencyShares, ...rest} = spec.limited;
  const shares = nominalConcurrencyShares ?? assuredConcurrencyShares;
  const limited = shares === undefined ? rest : {[sharesField(to.version)]: shares, ...rest};
  const meantAsZero = to.version === 'v1beta3' && shares === 0;
  return {...object, apiVersion, metadata: annotated(metadata, zeroAnnotation, meantAsZero), spec: {...spec, limited}};
}

function annotated(metadata: ApiObject['metadata'], key: string, wanted: boolean): ApiObject['metadata'] {
  const {annotations = {}} = metadata;
  if (Object.hasOwn(annotations, key) === wanted) return metadata;
  const {[key]: former, ...others} = annotations;
  return {...metadata, annotations: wanted ? {...others, [key]: former ?? ''} : others};
}
