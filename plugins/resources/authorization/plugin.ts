export {LocalSubjectAccessReviewHandler} from './local-subject-access-review-handler.js';
export {SelfSubjectAccessReviewHandler} from './self-subject-access-review-handler.js';
export {SelfSubjectRulesReviewHandler} from './self-subject-rules-review-handler.js';
export {SubjectAccessReviewHandler} from './subject-access-review-handler.js';
