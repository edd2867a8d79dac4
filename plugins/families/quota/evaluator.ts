import type {AdmissionOperation, ApiObject} from '../../../sdk/index.js';
import type {Amounts} from './amounts.js';
import type {ScopeRequirement} from './quota-object.js';

/** What quotas count for the objects of one type. The same rules apply to new objects and to counting existing ones. */
export interface QuotaEvaluator {
  /** The type, its group in the naming profile's form. */
  readonly group: string;
  readonly resource: string;
  /** The subresource of which an update can add to what is used; none by default. */
  readonly subresource?: string;
  /** Whether a certain update of that subresource can; all of them if absent. */
  handlesSubresource?(object: ApiObject, old: ApiObject | undefined): boolean;
  /** Whether a changed object may use less than before. */
  mayUseLess(object: ApiObject): boolean;
  /** Whether an operation on an object, as it will be and as it was, can add to what is used. */
  handles(operation: AdmissionOperation, object: ApiObject, old: ApiObject | undefined): boolean;
  /** Whether this evaluator is responsible for an entry of a quota's `hard`. */
  counts(name: string): boolean;
  /** What an object uses; more than a quota may limit. */
  usage(object: ApiObject): Amounts;
  /** What an object must set because a quota limits these; undefined if it does. Completes the sentence "failed quota: NAME: …". */
  missing(limited: readonly string[], object: ApiObject): string | undefined;
  /** Whether an object is in a scope. */
  isInScope(requirement: ScopeRequirement, object: ApiObject): boolean;
}

/** The name that counts the objects of any type: `count/deployments.apps`. */
export function countName(group: string, resource: string): string {
  return `count/${group === '' ? resource : `${resource}.${group}`}`;
}
