import {dnsLabelFaults, invalid, notSupported, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import type {
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
} from '../../../sdk/types/unchecked/flowcontrol.apiserver/v1beta3.js';
import {subjectFaults} from './subject-rules.js';

const verbs = ['get', 'list', 'create', 'update', 'delete', 'deletecollection', 'patch', 'watch', 'proxy'];
type List = readonly string[] | null | undefined;

/** Errors in one of the rules that select the requests of a flow schema. */
export function rulesWithSubjectsFaults(
  {subjects, resourceRules, nonResourceRules}: PolicyRulesWithSubjects,
  path: FieldPath,
): FieldError[] {
  const faults: FieldError[] = [];
  const subjectsPath = path.child('subjects');
  if (!subjects || subjects.length === 0) faults.push(required(subjectsPath, 'subjects must contain at least one value'));
  else faults.push(...subjects.flatMap((subject, index) => subjectFaults(subject, subjectsPath.index(index))));
  if (!resourceRules?.length && !nonResourceRules?.length)
    faults.push(required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty'));
  return [
    ...faults,
    ...(resourceRules ?? []).flatMap((rule, index) => resourceRuleFaults(rule, path.child('resourceRules').index(index))),
    ...(nonResourceRules ?? []).flatMap((rule, index) => nonResourceRuleFaults(rule, path.child('nonResourceRules').index(index))),
  ];
}

function resourceRuleFaults(rule: ResourcePolicyRule, path: FieldPath): FieldError[] {
  return [
    ...verbFaults(rule.verbs, path.child('verbs')),
    ...listFaults(rule.apiGroups, path.child('apiGroups'), 'resource rules must supply at least one api group', 'api groups'),
    ...listFaults(rule.resources, path.child('resources'), 'resource rules must supply at least one resource', 'resources'),
    ...namespaceFaults(rule, path.child('namespaces')),
  ];
}

function nonResourceRuleFaults(rule: NonResourcePolicyRule, path: FieldPath): FieldError[] {
  const urlsPath = path.child('nonResourceURLs');
  const faults = listFaults(rule.nonResourceURLs, urlsPath, 'nonResourceURLs must contain at least one value', 'non-resource URLs');
  if (!rule.nonResourceURLs?.includes('*'))
    faults.push(...(rule.nonResourceURLs ?? []).flatMap((url, index) => urlFaults(url, urlsPath.index(index))));
  return [...verbFaults(rule.verbs, path.child('verbs')), ...faults];
}

function verbFaults(list: List, path: FieldPath): FieldError[] {
  const faults = listFaults(list, path, 'verbs must contain at least one value', 'verbs');
  if (faults.length === 0 && !list!.includes('*') && !list!.every((verb) => verbs.includes(verb)))
    faults.push(notSupported(path, list, verbs));
  return faults;
}

function namespaceFaults({namespaces, clusterScope}: ResourcePolicyRule, path: FieldPath): FieldError[] {
  const missing = 'resource rules that are not cluster scoped must supply at least one namespace';
  if (!namespaces || namespaces.length === 0) return clusterScope ? [] : [required(path, missing)];
  if (namespaces.includes('*')) return listFaults(namespaces, path, missing, 'namespaces');
  return namespaces.flatMap((namespace, index) => dnsLabelFaults(namespace).map((detail) => invalid(path.index(index), namespace, detail)));
}

/** The list must not be empty, and `*` must be its only item. */
function listFaults(list: List, path: FieldPath, missing: string, noun: string): FieldError[] {
  if (!list || list.length === 0) return [required(path, missing)];
  return list.length > 1 && list.includes('*') ? [invalid(path, list, `if '*' is present, must not specify other ${noun}`)] : [];
}

/** A path, or a path prefix that ends in `/*`. */
function urlFaults(url: string, path: FieldPath): FieldError[] {
  if (url === '') return [invalid(path, url, 'must not be empty')];
  if (url === '/') return [];
  const faults: string[] = [];
  if (!url.startsWith('/')) faults.push('must start with slash');
  if (url.includes(' ')) faults.push('must not contain white-space');
  if (url.includes('//')) faults.push('must not contain double slash');
  const star = url.indexOf('*');
  if (star !== -1 && (star !== url.length - 1 || !url.endsWith('/*'))) faults.push('wildcard can only do suffix matching');
  return faults.map((detail) => invalid(path, url, detail));
}
