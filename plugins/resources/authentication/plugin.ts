export {SelfSubjectReviewHandler} from './self-subject-review-handler.js';
export {TokenReviewHandler} from './token-review-handler.js';
