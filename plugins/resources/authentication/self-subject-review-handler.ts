import {virtualResource, type ApiObject, type VirtualRequest, type VirtualResource} from '../../../sdk/index.js';
import {userInfoObject} from './user-info-object.js';

/** SelfSubjectReview: the caller's identity as the server sees it. */
@virtualResource()
export class SelfSubjectReviewHandler implements VirtualResource {
  create(review: ApiObject, {user}: VirtualRequest): ApiObject {
    return {...review, status: {userInfo: userInfoObject(user)}};
  }
}
