import type {AuthorizationAttributes, UserInfo} from '../../../sdk/index.js';
import type {ObjectKey, Resource} from '../resource.js';

/** Authorizes the user of an in-process client. */
export interface LocalAccess {
  /**
   * Returns, or resolves, if the user may do this.
   *
   * @throws StatusError 403
   */
  require(attributes: AuthorizationAttributes): void | Promise<void>;
}

type Named = Pick<Resource, 'served'> & Partial<Pick<Resource, 'subresource'>>;

/** The attributes of the equivalent HTTP request. */
export function localAttributes(user: UserInfo, verb: string, resource: Named, key: ObjectKey): AuthorizationAttributes {
  const {type, version} = resource.served;
  const isNamespace = type.group === '' && type.plural === 'namespaces';
  return {
    user,
    verb,
    isResourceRequest: true,
    path: '',
    group: type.group,
    version: version.name,
    resource: type.plural,
    subresource: resource.subresource?.name ?? '',
    namespace: isNamespace ? key.name : type.namespaced ? key.namespace : '',
    name: key.name,
  };
}
