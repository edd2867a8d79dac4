import type {ApiObject} from '../../../sdk/index.js';

export interface ResourceAttributes {
  namespace?: string;
  verb?: string;
  group?: string;
  version?: string;
  resource?: string;
  subresource?: string;
  name?: string;
}

/** What is asked about: a resource, or a path that is none. */
export interface AccessQuestion {
  resourceAttributes?: ResourceAttributes;
  nonResourceAttributes?: {path?: string; verb?: string};
}

/** A question about somebody else. */
export interface SubjectQuestion extends AccessQuestion {
  user?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
  uid?: string;
}

export interface AccessReview<Question extends AccessQuestion = AccessQuestion> extends ApiObject {
  spec?: Question;
}
