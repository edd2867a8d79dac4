import type {AccessReviewer, AuthorizationAttributes, ServedResource, UserInfo} from '../../../sdk/index.js';

export interface ResourceRule {
  readonly verbs: string[];
  readonly apiGroups: string[];
  readonly resources: string[];
}

export interface NonResourceRule {
  readonly verbs: string[];
  readonly nonResourceURLs: string[];
}

/** What a user may do, as far as it can be found out by asking. */
export interface FoundRules {
  readonly resourceRules: ResourceRule[];
  readonly nonResourceRules: NonResourceRule[];
  /** False when the rules allow everything: nothing is missing then. */
  readonly incomplete: boolean;
}

/** Paths that are no resources and that somebody may be allowed to read. */
const paths = [
  '/api',
  '/api/*',
  '/apis',
  '/apis/*',
  '/healthz',
  '/livez',
  '/metrics',
  '/openapi',
  '/openapi/*',
  '/readyz',
  '/version',
  '/version/',
];

/**
 * Finds out what a user may do in a namespace by asking the authorizers about every type that is served: whatever they
 * base their decisions on, the answer is theirs. Rights to single objects and to types that are not served do not show.
 */
export async function findRules(
  access: AccessReviewer,
  user: UserInfo,
  namespace: string,
  served: readonly ServedResource[],
): Promise<FoundRules> {
  const allows = async (attributes: Partial<AuthorizationAttributes>) => {
    const {decision} = await access.authorize({...nothing, user, ...attributes});
    return decision === 'allow';
  };
  const [everything, everyPath] = await Promise.all([
    allows({isResourceRequest: true, verb: '*', group: '*', version: '*', resource: '*', namespace}),
    allows({isResourceRequest: false, verb: '*', path: '*'}),
  ]);
  const resourceRules = everything ? [{verbs: ['*'], apiGroups: ['*'], resources: ['*']}] : await typeRules(allows, namespace, served);
  const nonResourceRules = everyPath ? [{verbs: ['*'], nonResourceURLs: ['*']}] : await pathRules(allows);
  return {resourceRules, nonResourceRules, incomplete: !(everything && everyPath)};
}

type Allows = (attributes: Partial<AuthorizationAttributes>) => Promise<boolean>;

const nothing = {
  verb: '',
  isResourceRequest: false,
  path: '',
  group: '',
  version: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
};

/** One rule for the types of a group with the same verbs. */
async function typeRules(allows: Allows, namespace: string, served: readonly ServedResource[]): Promise<ResourceRule[]> {
  const types = [...new Map(served.map((type) => [`${type.resource}.${type.group}`, type])).values()];
  const found = await Promise.all(
    types.map(async ({group, version, resource, namespaced, verbs}) => {
      const where = {isResourceRequest: true, group, version, resource, namespace: namespaced ? namespace : ''};
      const answers = await Promise.all(verbs.map((verb) => allows({...where, verb})));
      return {group, resource, verbs: verbs.filter((_verb, index) => answers[index])};
    }),
  );
  const rules = new Map<string, ResourceRule>();
  for (const {group, resource, verbs} of found) {
    if (verbs.length === 0) continue;
    const key = JSON.stringify([group, verbs]);
    const rule = rules.get(key);
    if (rule) rule.resources.push(resource);
    else rules.set(key, {verbs: [...verbs], apiGroups: [group], resources: [resource]});
  }
  return [...rules.values()];
}

async function pathRules(allows: Allows): Promise<NonResourceRule[]> {
  const answers = await Promise.all(paths.map((path) => allows({path, verb: 'get'})));
  const readable = paths.filter((_path, index) => answers[index]);
  return readable.length === 0 ? [] : [{verbs: ['get'], nonResourceURLs: readable}];
}
