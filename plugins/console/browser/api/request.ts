import {signal} from '@preact/signals';
import {callerHeaders, sessionEnded} from './session.js';

/** A `Status` as servers answer it. */
export interface Status {
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: {readonly causes?: readonly {readonly field?: string; readonly message?: string; readonly reason?: string}[]};
}

/** A request that was refused, or could not be sent: then `code` is 0. */
export class Refusal extends Error {
  readonly code: number;
  readonly status: Status;
  /** Of the request, as the server calls it; empty if it gave none. */
  readonly id: string;

  constructor(code: number, status: Status, id = '') {
    super(status.message ?? `the server answered ${code}`);
    this.code = code;
    this.status = status;
    this.id = id;
  }

  /** Whether the same may be answered a little later: the server was away, or had too much to do. */
  get isPassing(): boolean {
    return this.code === 0 || this.code === 429 || this.code >= 500;
  }
}

/** Texts of `Warning` headers of the last write. */
export const warnings = signal<readonly string[]>([]);

export interface RequestOptions {
  readonly method?: string;
  readonly accept?: string;
  /** Media type of `body`; JSON by default. */
  readonly type?: string;
  /** Sent as JSON unless it is a text. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a request as the user. @throws Refusal; the signal's reason if it fires */
export async function request(path: string, options: RequestOptions = {}): Promise<Response> {
  const {method = 'GET', accept = 'application/json', type = 'application/json', body, signal: abort} = options;
  const headers = callerHeaders();
  headers.set('Accept', accept);
  if (body !== undefined) headers.set('Content-Type', type);
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers,
      credentials: 'same-origin',
      cache: 'no-store',
      ...(body === undefined ? {} : {body: typeof body === 'string' ? body : JSON.stringify(body)}),
      ...(abort ? {signal: abort} : {}),
    });
  } catch (error) {
    if (abort?.aborted === true) throw error;
    throw new Refusal(0, {message: 'The server cannot be reached.'});
  }
  if (method !== 'GET') warnings.value = warningTexts(response.headers.get('warning'));
  if (response.ok) return response;
  const status = await statusOf(response);
  if (response.status === 401) sessionEnded('The server does not know you any more: please sign in again.');
  throw new Refusal(response.status, status, response.headers.get('audit-id') ?? '');
}

/** As `request`, for an answer in JSON. */
export async function requestJson<T>(path: string, options?: RequestOptions): Promise<T> {
  return (await (await request(path, options)).json()) as T;
}

async function statusOf(response: Response): Promise<Status> {
  const text = await response.text();
  try {
    const parsed = JSON.parse(text) as Status;
    if (typeof parsed.message === 'string') return parsed;
  } catch {
    // From a proxy in between, say.
  }
  return {message: text.slice(0, 1000) || `the server answered ${response.status}`};
}

function warningTexts(header: string | null): string[] {
  return [...(header ?? '').matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text.replaceAll(/\\(.)/g, '$1'));
}
