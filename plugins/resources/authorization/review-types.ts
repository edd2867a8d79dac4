import type {ApiObject, Unchecked} from '../../../sdk/index.js';
import type * as authorization from '../../../sdk/types/authorization/v1.js';

/** The group's types before validation. */
export type ResourceAttributes = Unchecked<authorization.ResourceAttributes>;
export type AccessQuestion = Unchecked<authorization.SelfSubjectAccessReviewSpec>;
export type SubjectQuestion = Unchecked<authorization.SubjectAccessReviewSpec>;

/** A review of one of the kinds. */
export type AccessReview<Question extends AccessQuestion = AccessQuestion> = ApiObject & {spec?: Question};
