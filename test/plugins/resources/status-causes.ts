import type {Status} from '@orch-api/orch/sdk';
import type {TestResponse} from '@orch-api/orch/testing';

/** The faults that a 422 lists, as `PATH: BODY`; for another answer its code and message, so that a comparison shows what happened. */
export function causesOf(response: TestResponse): string[] {
  const {details, message = ''} = response.json<Status>();
  if (response.status !== 422) return [`${response.status} ${message}`];
  return (details?.causes ?? []).map((cause) => `${cause.field}: ${cause.message}`);
}
