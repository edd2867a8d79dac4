import type {AdmissionForm, AdmissionOperation, Unchecked} from '../../../sdk/index.js';
import type * as admissionregistration from '../../../sdk/types/admissionregistration/v1.js';

/** Which requests a webhook or a policy matches: all members of a rule must match. */
export type MatchRule = Unchecked<admissionregistration.RuleWithOperations> & {
  /** Objects by name; all when absent or empty. */
  readonly resourceNames?: readonly string[] | null;
};

/** The target of a write, in one of its forms. */
export interface MatchPlace {
  readonly operation: AdmissionOperation;
  readonly form: AdmissionForm;
  readonly subresource: string;
  readonly isClusterScoped: boolean;
}

const all = '*';

/** Whether a rule matches writes of an endpoint, whatever the names of their objects. */
export function ruleFits(rule: MatchRule, {operation, form: {resource}, subresource, isClusterScoped}: MatchPlace): boolean {
  return (
    names(rule.operations, operation) &&
    names(rule.apiGroups, resource.group) &&
    names(rule.apiVersions, resource.version) &&
    (rule.resources ?? []).some((pattern) => patternFits(pattern, resource.resource, subresource)) &&
    scopeFits(rule.scope, isClusterScoped)
  );
}

/** Whether a rule matches an object of that name. */
export function nameFits({resourceNames}: MatchRule, name: string): boolean {
  return !resourceNames || resourceNames.length === 0 || resourceNames.includes(name);
}

function names(values: readonly string[] | undefined | null, value: string): boolean {
  return values?.includes(all) === true || values?.includes(value) === true;
}

/**
 * `pods` matches the objects, `pods/status` that subresource, `pods/*` both and all others; a star before the slash matches all resources.
 */
function patternFits(pattern: string, resource: string, subresource: string): boolean {
  const slash = pattern.indexOf('/');
  const ofResource = slash < 0 ? pattern : pattern.slice(0, slash);
  const ofSubresource = slash < 0 ? '' : pattern.slice(slash + 1);
  return (ofResource === all || ofResource === resource) && (ofSubresource === all || ofSubresource === subresource);
}

function scopeFits(scope: string | undefined | null, isClusterScoped: boolean): boolean {
  if (!scope || scope === all) return true;
  return scope === (isClusterScoped ? 'Cluster' : 'Namespaced');
}
