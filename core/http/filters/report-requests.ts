import type {RequestReport} from '../../../sdk/index.js';
import {RequestNotes} from '../request/request-notes.js';
import type {Filter} from './filter.js';

/** Has notes taken of each request, and reports them once it has been answered. */
export function reportRequests(listener: (report: RequestReport) => void): Filter {
  return (exchange, next) => {
    const notes = new RequestNotes();
    exchange.notes = notes;
    exchange.whenFinished(() => listener(notes.report(exchange, performance.now())));
    return next(exchange);
  };
}
