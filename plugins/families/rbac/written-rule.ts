import type {PolicyRule} from './policy-rule.js';

/** Default roles are written as words separated by blanks. Groups are in the neutral form; the core group is `core`. */
const words = (text: string) => text.split(' ');

export const read = 'get list watch';
export const write = 'create delete deletecollection patch update';

/** A rule about resources. @param names restricts it to these objects */
export function allow(verbs: string, groups: string, resources: string, names?: string): PolicyRule {
  return {
    verbs: words(verbs),
    apiGroups: words(groups).map((group) => (group === 'core' ? '' : group)),
    resources: words(resources),
    ...(names === undefined ? {} : {resourceNames: words(names)}),
  };
}

/** A rule for reading non-resource URLs. */
export function allowPaths(paths: string): PolicyRule {
  return {verbs: ['get'], nonResourceURLs: words(paths)};
}

/** Writing events. */
export const events = allow('create patch update', 'core events.orch', 'events');
