import type {ReadAnswer} from './read-answers.js';
import type {ReadRequest} from './read-requests.js';

/** A request that two servers answer in different ways. */
export interface ReadDifference {
  readonly request: ReadRequest;
  readonly real: ReadAnswer;
  readonly own: ReadAnswer;
}
