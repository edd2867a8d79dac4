import type {AdmissionVerdict, RequestReport, StatusError} from '../../../sdk/index.js';
import type {TracedPart} from '../../tracing/request-trace.js';
import type {Exchange} from './exchange.js';
import {isLongRunning} from './long-running.js';
import type {ReportNotes} from './report-notes.js';

/** Most verdicts, and most steps, of one report. */
const mostEntries = 64;
/** Characters of a text. */
const longestText = 1024;

/** What is noted of a request while it is served, for its report. */
export class RequestNotes implements ReportNotes {
  flow: RequestReport['flow'];
  authorization: RequestReport['authorization'];
  #refusal: Pick<StatusError, 'reason' | 'message'> | undefined;
  readonly #verdicts: AdmissionVerdict[] = [];
  #leftOut = 0;

  readonly addVerdict = (verdict: AdmissionVerdict): void => {
    if (this.#verdicts.length >= mostEntries) this.#leftOut += 1;
    else this.#verdicts.push(verdict);
  };

  waited(seconds: number): void {
    if (this.flow) this.flow = {...this.flow, waitedSeconds: seconds};
  }

  refused({reason, message}: Pick<StatusError, 'reason' | 'message'>): void {
    this.#refusal = {reason, message: ownText(message)};
  }

  /** @param ended when it was answered, as `performance.now()` */
  report(exchange: Exchange, ended: number): RequestReport {
    const {id, method, path, user, impersonator, response, startedAt, trace, warnings} = exchange;
    const steps = (trace?.parts ?? []).filter(({parent}) => parent === undefined);
    const seconds = (ended - startedAt) / 1000;
    return {
      id: ownText(id),
      time: Date.now() - seconds * 1000,
      method: ownText(method),
      path: ownText(path),
      verb: exchange.info?.verb ?? '',
      user: user && ownText(user.username),
      impersonator: impersonator && ownText(impersonator.username),
      code: response.headersSent ? response.statusCode : 0,
      reason: this.#refusal?.reason,
      message: this.#refusal?.message,
      seconds,
      isLasting: isLongRunning(exchange),
      flow: this.flow,
      authorization: this.authorization && {...this.authorization, reason: ownText(this.authorization.reason)},
      verdicts: this.#verdicts.map((verdict) => ({
        ...verdict,
        name: ownText(verdict.name),
        from: verdict.from === undefined ? undefined : ownText(verdict.from),
        message: verdict.message === undefined ? undefined : ownText(verdict.message),
      })),
      steps: steps.slice(0, mostEntries).map(stepOf),
      warnings: warnings.map(ownText),
      leftOut: this.#leftOut + Math.max(0, steps.length - mostEntries) + (trace?.leftOut ?? 0),
    };
  }
}

function stepOf({name, began, ended}: TracedPart): RequestReport['steps'][number] {
  return {name, seconds: (ended - began) / 1000};
}

/** The beginning of a text, copied: a part of a text would keep the whole of it. */
function ownText(text: string): string {
  return text.length > longestText ? `${Buffer.from(text.slice(0, longestText)).toString()}…` : text;
}
