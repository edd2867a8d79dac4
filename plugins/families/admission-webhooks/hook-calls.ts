import {
  badRequest,
  internalError,
  type StatusError,
  timeout,
  WebhookError,
  type AdmissionEvents,
  type AdmissionRequest,
  type Logger,
  type NamingProfile,
  type WebhookCaller,
  type WebhookCallEvent,
} from '../../../sdk/index.js';
import type {Candidate} from './followed-hooks.js';
import {GateFull} from './call-gate.js';
import type {Hook} from './hook.js';
import {InvalidResponse, readResponse, UnreadablePatch, type HookResponse} from './read-response.js';
import {rejection} from './rejection.js';
import {makeReview, reviewedObjects, type ReviewedObjects} from './review.js';

/** Highest status code that is counted separately. */
const greatestCountedCode = 600;

/** A call without a usable response: the webhook's failure policy decides. */
class CallFailure extends Error {
  override readonly name = 'CallFailure';

  constructor({name}: Hook, what: string, cause?: Error) {
    super(`failed calling webhook ${JSON.stringify(name)}: ${what}${cause ? `: ${cause.message}` : ''}`, cause ? {cause} : {});
  }
}

export interface HookCallSettings {
  readonly caller: WebhookCaller;
  readonly naming: NamingProfile;
  readonly logger: Logger;
  readonly events: AdmissionEvents;
  readonly type: WebhookCallEvent['type'];
}

/** The outcome of a call that did not reject the write. */
export type CallOutcome = {readonly failedOpen: true} | {readonly failedOpen: false; readonly response: HookResponse};

/** Calls webhooks about writes and interprets their responses. */
export class HookCalls {
  readonly #settings: HookCallSettings;

  constructor(settings: HookCallSettings) {
    this.#settings = settings;
  }

  /**
   * Calls a webhook.
   *
   * @param objects the reviewed objects, if they have been converted to JSON already
   * @param take processes a response that allows the write; an error it throws is the webhook's fault
   * @throws StatusError if the webhook rejects the write, or cannot be called and its policy is `Fail`; 504 if the request has timed out
   */
  async ask(
    request: AdmissionRequest,
    {hook, form}: Candidate,
    objects?: ReviewedObjects,
    take?: (response: HookResponse) => Promise<void>,
  ): Promise<CallOutcome> {
    const {events} = this.#settings;
    const began = events.listener || request.noteVerdict ? performance.now() : 0;
    const report = (call: Pick<WebhookCallEvent, 'code' | 'error' | 'rejected' | 'failedOpen'>, message?: string) => {
      const seconds = began === 0 ? 0 : (performance.now() - began) / 1000;
      const {type} = this.#settings;
      events.listener?.webhookDone?.({name: hook.name, type, operation: request.operation, seconds, ...call});
      request.noteVerdict?.({
        by: 'webhook',
        name: hook.name,
        from: hook.configuration,
        half: type === 'admit' ? 'admit' : 'validate',
        verdict: verdictOf(call),
        message,
        seconds,
      });
    };
    try {
      if (request.dryRun && !hook.supportsDryRun)
        throw badRequest(`admission webhook ${JSON.stringify(hook.name)} does not support dry run`);
      const response = await this.#call(request, {hook, form}, objects);
      for (const [key, value] of response.auditAnnotations) request.annotate(`${hook.name}/${key}`, value);
      for (const warning of response.warnings) request.warn(warning);
      if (!response.allowed) {
        const refusal = rejection(hook.name, response.result);
        report({code: Math.min(refusal.code, greatestCountedCode), error: 'no_error', rejected: true, failedOpen: false}, refusal.message);
        throw new Rejected(refusal);
      }
      await take?.(response);
      report({code: 200, error: 'no_error', rejected: false, failedOpen: false});
      return {failedOpen: false, response};
    } catch (error) {
      if (error instanceof Rejected) throw error.status;
      if (request.signal?.aborted) throw timeout('request did not complete within requested timeout');
      const isFailure = error instanceof CallFailure;
      const failedOpen = isFailure && hook.ignoresFailures;
      const problem = error instanceof Error ? error.message : '';
      report(
        {code: 0, error: isFailure ? 'calling_webhook_error' : 'apiserver_internal_error', rejected: !failedOpen, failedOpen},
        problem,
      );
      if (!isFailure) throw error;
      if (!failedOpen) throw internalError(error.message, {details: {causes: [{message: error.message}]}, cause: error});
      return {failedOpen};
    }
  }

  async #call(request: AdmissionRequest, {hook, form}: Pick<Candidate, 'hook' | 'form'>, known?: ReviewedObjects): Promise<HookResponse> {
    const {reviewVersion: version} = hook;
    try {
      if (!version)
        throw new CallFailure(
          hook,
          'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
        );
      const objects = known ?? (await reviewedObjects(request, form));
      const review = makeReview(request, form, objects, version, this.#settings.naming);
      const answer = await this.#send(hook, review.text, request.signal);
      const response = readResponse(answer, review, version, this.#settings.type === 'admit');
      this.#answered(hook);
      return response;
    } catch (error) {
      const failure = this.#failureOf(hook, error);
      if (failure instanceof CallFailure && !request.signal?.aborted) this.#failed(hook, failure);
      throw failure;
    }
  }

  /** Waiting for a slot counts towards the webhook's timeout. */
  async #send(hook: Hook, text: string, signal: AbortSignal | undefined) {
    const {timeoutMillis} = hook.target;
    const since = performance.now();
    const limit = new AbortController();
    const giveUp = () => limit.abort(signal?.reason);
    signal?.addEventListener('abort', giveUp, {once: true});
    if (signal?.aborted) giveUp();
    const late = () => limit.abort(new WebhookError('Timeout', `no slot within ${timeoutMillis / 1000} s: too many calls are in progress`));
    const timer = setTimeout(late, timeoutMillis);
    try {
      return await hook.gate.run(() => {
        clearTimeout(timer);
        const left = Math.max(1, Math.ceil(timeoutMillis - (performance.now() - since)));
        // The webhook sees this timeout, so it is the configured one unless the call had to wait.
        const target = left > timeoutMillis - 1000 ? hook.target : {...hook.target, timeoutMillis: left};
        return this.#settings.caller.call(target, text, signal);
      }, limit.signal);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    }
  }

  #failureOf(hook: Hook, error: unknown): unknown {
    if (error instanceof InvalidResponse) return new CallFailure(hook, 'received invalid webhook response', error);
    if (error instanceof UnreadablePatch)
      return internalError(`admission webhook ${JSON.stringify(hook.name)}: ${error.message}`, {cause: error});
    if (WebhookError.is(error) || error instanceof GateFull) return new CallFailure(hook, 'failed to call webhook', error);
    return error;
  }

  /** Consecutive failures of a webhook are logged once. */
  #failed(hook: Hook, failure: CallFailure): void {
    if (hook.isFailing) return;
    hook.isFailing = true;
    const {cause} = failure;
    const answer = WebhookError.is(cause) ? cause.answer : undefined;
    this.#settings.logger.warn(
      {
        webhook: hook.name,
        configuration: hook.configuration,
        failurePolicy: hook.ignoresFailures ? 'Ignore' : 'Fail',
        err: failure,
        ...(answer === undefined ? {} : {answer}),
      },
      'an admission webhook fails',
    );
  }

  #answered(hook: Hook): void {
    if (!hook.isFailing) return;
    hook.isFailing = false;
    this.#settings.logger.info({webhook: hook.name, configuration: hook.configuration}, 'an admission webhook is responding again');
  }
}

function verdictOf({error, rejected, failedOpen}: Pick<WebhookCallEvent, 'error' | 'failedOpen' | 'rejected'>) {
  if (error !== 'no_error') return failedOpen ? 'ignored' : 'failed';
  return rejected ? 'denied' : 'allowed';
}

/** Carries a rejection by the webhook past the handling of failures. */
class Rejected extends Error {
  constructor(readonly status: StatusError) {
    super();
  }
}
