import type {PolicyRule} from '../../../families/rbac/policy-rule.js';

/** Default roles are written in words, blanks between them; groups in the neutral form, the core group as `core`. */
const words = (text: string) => text.split(' ');

export const read = 'get list watch';
export const write = 'create delete deletecollection patch update';

/** A rule about resources. @param names objects that it is restricted to */
export function allow(verbs: string, groups: string, resources: string, names?: string): PolicyRule {
  return {
    verbs: words(verbs),
    apiGroups: words(groups).map((group) => (group === 'core' ? '' : group)),
    resources: words(resources),
    ...(names === undefined ? {} : {resourceNames: words(names)}),
  };
}

/** A rule about reading paths that are no resources. */
export function allowPaths(paths: string): PolicyRule {
  return {verbs: ['get'], nonResourceURLs: words(paths)};
}

/** Telling what was done. */
export const events = allow('create patch update', 'core events.orch', 'events');
