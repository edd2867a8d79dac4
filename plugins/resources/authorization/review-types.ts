import type {ApiObject} from '../../../sdk/index.js';
import type {SelfSubjectAccessReviewSpec} from '../../../sdk/types/unchecked/authorization/v1.js';

/** A review of one of the kinds. */
export type AccessReview<Question extends SelfSubjectAccessReviewSpec = SelfSubjectAccessReviewSpec> = ApiObject & {spec?: Question};
