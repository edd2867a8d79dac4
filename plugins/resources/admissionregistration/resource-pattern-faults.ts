import {invalid, required, type FieldError, type FieldPath} from '../../../sdk/index.js';

/**
 * Errors in the resources of a rule: `pods`, `pods/status`, `pods/*` (all its subresources), `*` (all resources, without subresources). A
 * star before the slash means all resources with that subresource, or with any. Resources that a wildcard already covers must not be
 * listed.
 */
export function resourcePatternFaults(resources: readonly string[], path: FieldPath): FieldError[] {
  if (resources.length === 0) return [required(path)];
  const faults: FieldError[] = [];
  const withAllSubresources = new Set<string>();
  const ofAllResources = new Set<string>();
  for (const [index, pattern] of resources.entries()) {
    const at = path.index(index);
    if (pattern === '') faults.push(required(at));
    const slash = pattern.indexOf('/');
    if (slash === -1) continue;
    const resource = pattern.slice(0, slash);
    const subresource = pattern.slice(slash + 1);
    if (withAllSubresources.has(resource)) faults.push(invalid(at, pattern, `if '${resource}/*' is present, must not specify ${pattern}`));
    if (ofAllResources.has(subresource)) faults.push(invalid(at, pattern, `if '*/${subresource}' is present, must not specify ${pattern}`));
    if (subresource === '*') withAllSubresources.add(resource);
    if (resource === '*') ofAllResources.add(subresource);
  }
  const hasPlain = resources.some((pattern) => pattern !== '' && pattern !== '*' && !pattern.includes('/'));
  if (resources.length > 1 && resources.includes('*/*'))
    faults.push(invalid(path, resources, "if '*/*' is present, must not specify other resources"));
  if (resources.includes('*') && hasPlain)
    faults.push(invalid(path, resources, "if '*' is present, must not specify other resources without subresources"));
  return faults;
}
