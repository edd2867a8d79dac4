import type {FlowNonResourceRule, FlowResourceRule, FlowRule} from '../../../sdk/index.js';
import type {RequestInfo} from '../request/request-info.js';

/** What a list allows: everything when undefined. */
type Allowed = ReadonlySet<string> | undefined;

interface ResourceMatch {
  readonly verbs: Allowed;
  readonly groups: Allowed;
  readonly resources: Allowed;
  readonly clusterScope: boolean;
  readonly namespaces: Allowed;
}

interface PathMatch {
  readonly verbs: Allowed;
  /** Undefined for all. */
  readonly paths: ReadonlySet<string> | undefined;
  readonly prefixes: readonly string[];
}

/** Whether a rule matches a request, apart from its user. */
export class RequestRules {
  readonly #resources: readonly ResourceMatch[];
  readonly #paths: readonly PathMatch[];

  constructor({resourceRules, nonResourceRules}: Pick<FlowRule, 'resourceRules' | 'nonResourceRules'>) {
    this.#resources = resourceRules.map(resourceMatch);
    this.#paths = nonResourceRules.map(pathMatch);
  }

  matches(info: RequestInfo): boolean {
    if (info.isResourceRequest) {
      for (const rule of this.#resources) if (matchesResource(rule, info)) return true;
    } else {
      for (const rule of this.#paths) if (matchesPath(rule, info)) return true;
    }
    return false;
  }
}

function resourceMatch({verbs, apiGroups, resources, clusterScope, namespaces}: FlowResourceRule): ResourceMatch {
  return {
    verbs: allowed(verbs),
    groups: allowed(apiGroups),
    resources: allowed(resources),
    clusterScope,
    namespaces: allowed(namespaces),
  };
}

function matchesResource({verbs, groups, resources, clusterScope, namespaces}: ResourceMatch, info: RequestInfo): boolean {
  if (verbs && !verbs.has(info.verb)) return false;
  if (resources && !resources.has(info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`)) return false;
  if (groups && !groups.has(info.group)) return false;
  return info.namespace === '' ? clusterScope : !namespaces || namespaces.has(info.namespace);
}

/** A path includes everything below it, with or without a trailing `*`. */
function pathMatch({verbs, nonResourceURLs}: FlowNonResourceRule): PathMatch {
  if (nonResourceURLs.includes('*')) return {verbs: allowed(verbs), paths: undefined, prefixes: []};
  const prefixes = nonResourceURLs.map((url) => {
    const path = url.endsWith('*') ? url.slice(0, -1) : url;
    return path.endsWith('/') ? path : `${path}/`;
  });
  return {verbs: allowed(verbs), paths: new Set(nonResourceURLs), prefixes};
}

function matchesPath({verbs, paths, prefixes}: PathMatch, {verb, path}: RequestInfo): boolean {
  if (verbs && !verbs.has(verb)) return false;
  return paths === undefined || paths.has(path) || prefixes.some((prefix) => path.startsWith(prefix));
}

function allowed(list: readonly string[]): Allowed {
  return list.length === 1 && list[0] === '*' ? undefined : new Set(list);
}
