import {forbidden, type AccessReviewer, type AuthorizationAttributes, type ServedResource, type UserInfo} from '../../../sdk/index.js';

/** Objects of a type: one of them, those of a namespace, or all. */
export interface Asked {
  readonly type: Pick<ServedResource, 'group' | 'version' | 'resource' | 'namespaced'>;
  readonly namespace: string;
  readonly name?: string;
}

/** What the authorizers are asked: the same as by a request for the objects themselves. */
function attributesOf(user: UserInfo, verb: string, {type, namespace, name = ''}: Asked): AuthorizationAttributes {
  const {group, version, resource} = type;
  const isNamespace = group === '' && resource === 'namespaces';
  return {
    user,
    verb,
    isResourceRequest: true,
    path: '',
    group,
    version,
    resource,
    subresource: '',
    namespace: isNamespace ? name : namespace,
    name,
  };
}

/** Whether a user may do something, by the server's own authorizers. Whatever keeps them from deciding is a no. */
export async function mayDo(access: AccessReviewer, user: UserInfo, verb: string, asked: Asked): Promise<boolean> {
  try {
    return (await access.authorize(attributesOf(user, verb, asked))).decision === 'allow';
  } catch {
    return false;
  }
}

/** Whether a user may ask for a path. */
export async function mayGet(access: AccessReviewer, user: UserInfo, path: string): Promise<boolean> {
  const none = {group: '', version: '', resource: '', subresource: '', namespace: '', name: ''};
  try {
    return (await access.authorize({user, verb: 'get', isResourceRequest: false, path, ...none})).decision === 'allow';
  } catch {
    return false;
  }
}

/** @throws StatusError 403 in the words of a request for the object itself */
export async function requireRight(access: AccessReviewer, user: UserInfo, verb: string, asked: Asked): Promise<void> {
  if (await mayDo(access, user, verb, asked)) return;
  const {group, resource} = asked.type;
  const {namespace} = attributesOf(user, verb, asked);
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  const what = `resource ${JSON.stringify(resource)} in API group ${JSON.stringify(group)} ${where}`;
  throw forbidden({group, resource, name: asked.name ?? ''}, `User ${JSON.stringify(user.username)} cannot ${verb} ${what}`);
}
