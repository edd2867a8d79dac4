import {virtualResource, type ApiObject, type VirtualRequest, type VirtualResource} from '../../../sdk/index.js';
import {userInfoObject} from './user-info-object.js';

/** SelfSubjectReview: who the server takes the caller for. */
@virtualResource()
export class SelfSubjectReviewHandler implements VirtualResource {
  create(review: ApiObject, {user}: VirtualRequest): ApiObject {
    return {...review, status: {userInfo: userInfoObject(user)}};
  }
}
