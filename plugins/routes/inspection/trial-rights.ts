import {
  forbidden,
  type AccessReviewer,
  type AuthorizationAttributes,
  type ExpressionAuthorizer,
  type UserInfo,
} from '../../../sdk/index.js';
import {mayDo} from './own-right.js';
import type {Trial} from './trial-request.js';

/**
 * Answers what expressions ask of `authorizer`: about the user himself, as everybody may ask; about service accounts if the user may ask that by other means, which is to create
 * SubjectAccessReviews.
 *
 * @param group of the reviews, as it is served
 */
export function trialAuthorizer(access: AccessReviewer, user: UserInfo, group: string, trial: Trial): ExpressionAuthorizer {
  const {type, object, oldObject} = trial;
  const {name, namespace} = ((object ?? oldObject)?.['metadata'] as {name?: unknown; namespace?: unknown}) ?? {};
  const authorize = async (attributes: AuthorizationAttributes) => {
    if (attributes.user !== user) await requireReviews(access, user, group);
    return access.authorize(attributes);
  };
  return {
    user,
    requestResource: {
      group: type?.group ?? '',
      resource: type?.resource ?? '',
      subresource: '',
      namespace: typeof namespace === 'string' ? namespace : '',
      name: typeof name === 'string' ? name : '',
    },
    authorize,
    readSelectors: (fields, labels) => access.readSelectors(fields, labels),
  };
}

async function requireReviews(access: AccessReviewer, user: UserInfo, group: string): Promise<void> {
  const type = {group, version: 'v1', resource: 'subjectaccessreviews', namespaced: false};
  if (await mayDo(access, user, 'create', {type, namespace: ''})) return;
  throw forbidden({group, resource: type.resource}, `User ${JSON.stringify(user.username)} may not ask what others may do`);
}
