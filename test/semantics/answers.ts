import type {ExecutionContext} from 'ava';
import type {TestResponse} from '@orch-api/orch/testing';

/** A failure as it is sent. */
export interface Failure {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly status: string;
  readonly message: string;
  readonly reason: string;
  readonly code: number;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly {readonly reason?: string; readonly message?: string; readonly field?: string}[];
  };
}

const members = new Set(['kind', 'apiVersion', 'metadata', 'status', 'message', 'reason', 'details', 'code']);

/** Asserts that a response is a failure in the form of a Status, and answers it. */
export function assertFailure(
  t: ExecutionContext,
  response: TestResponse,
  code: number,
  reason: string | undefined,
  message?: RegExp,
): Failure {
  const text = response.body.toString();
  t.is(response.status, code, text.slice(0, 500));
  t.is(response.headers['content-type'], 'application/json', text.slice(0, 500));
  const status = response.json<Failure>();
  t.deepEqual(
    {...status, message: '', details: undefined},
    {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: status.metadata,
      status: 'Failure',
      message: '',
      ...(reason === undefined ? {} : {reason}),
      details: undefined,
      code,
    },
  );
  t.deepEqual(
    Object.keys(status).filter((member) => !members.has(member)),
    [],
  );
  t.true(status.message.length > 0);
  if (message) t.regex(status.message, message);
  return status;
}

/** Asserts the code of a response and answers its body. */
export function answer<T>(t: ExecutionContext, response: TestResponse, code: number): T {
  t.is(response.status, code, response.body.toString().slice(0, 500));
  return response.json<T>();
}

/** The texts of all `Warning` headers, without code and quotes. Node joins repeated headers with a comma. */
export function warningsOf({headers}: TestResponse): string[] {
  const header = Buffer.from((headers.warning as string | undefined) ?? '', 'latin1').toString('utf8');
  return [...header.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text!.replaceAll(/\\(.)/g, '$1'));
}
