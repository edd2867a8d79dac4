import {StatusError} from '../../../sdk/index.js';

/** What Kubernetes' client says of answers that are no Status. */
const generic: Readonly<Record<number, string>> = {
  404: 'the server could not find the requested resource',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};
/** Words of aggregation, for want of any from a server. */
const noWords =
  /^(?:service unavailable$|error trying to reach service|the server answers with status \d+$|the server could not find the requested resource$)/;

/**
 * What an error of a request says, in the words of Kubernetes' client: what a server says of its own accord is taken as it is.
 *
 * @param what the resource with its group, and a name behind it
 */
export function requestErrorText(error: unknown, what: string): string {
  if (!StatusError.is(error)) throw error;
  const words = generic[error.code];
  return words !== undefined && noWords.test(error.message) ? `${words} (get ${what})` : error.message;
}

/** Why the replicas that a metric asks for are not known; what an autoscaler shows of it. */
export class MetricError extends Error {}
