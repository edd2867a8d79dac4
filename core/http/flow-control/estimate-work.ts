import type {RequestInfo} from '../request/request-info.js';
import type {WatchCounts} from './watch-counts.js';
import {oneSeat, type Work} from './work.js';

/** Seats of one request at most. */
const mostSeats = 10;
/** How many objects one seat stands for in a list. */
const objectsPerSeat = 100;
/** Watches whose events are worth one seat, for so many milliseconds. */
const watchesPerSeat = 10;
const eventMillis = 5;

const listsOf: readonly Work[] = Array.from({length: mostSeats + 1}, (_, seats) => ({seats, finalSeats: 0, finalMillis: 0}));

/** What an estimate looks at. */
export interface WorkEstimatorOptions {
  /** How many objects of a type there are in all namespaces; undefined for types that are not known, and while it is not known. */
  readonly countObjects: (info: RequestInfo) => number | undefined;
  readonly watches: WatchCounts;
}

/** Estimates what requests take, as Kubernetes 1.26 does: lists by the number of objects that have to be looked at, writes by the number of watches that have to be told. */
export class WorkEstimator {
  readonly #options: WorkEstimatorOptions;

  constructor(options: WorkEstimatorOptions) {
    this.#options = options;
  }

  estimate(info: RequestInfo, query: URLSearchParams): Work {
    switch (info.verb) {
      case 'list':
        return this.#list(info, query);
      case 'create':
      case 'update':
      case 'patch':
      case 'delete':
        return this.#write(info);
      default:
        return oneSeat;
    }
  }

  #list(info: RequestInfo, query: URLSearchParams): Work {
    // What is narrowed to one name is read like one object.
    const count = info.name === '' ? this.#options.countObjects(info) : undefined;
    if (count === undefined) return oneSeat;
    const limit = Math.min(count, positive(query.get('limit')) ?? count);
    const looked = isOfAnyVersion(query) ? count : isSelective(query) ? count + limit : 2 * limit;
    return listsOf[Math.min(mostSeats, Math.max(1, Math.ceil(looked / objectsPerSeat)))]!;
  }

  #write(info: RequestInfo): Work {
    const watches = this.#options.watches.interestedIn(info);
    // Of few watches nothing is noticed. Making a token changes nothing that could be watched.
    if (watches < watchesPerSeat || (info.resource === 'serviceaccounts' && info.subresource === 'token')) return oneSeat;
    const seats = Math.ceil(watches / watchesPerSeat);
    // The same work, on fewer seats for a longer time.
    const finalSeats = Math.min(seats, mostSeats);
    return {seats: 1, finalSeats, finalMillis: (seats * eventMillis) / finalSeats};
  }
}

/** Whether a list may come from what a server of Kubernetes has in memory: there it looks at every object. */
function isOfAnyVersion(query: URLSearchParams): boolean {
  const version = query.get('resourceVersion') ?? '';
  if (version === '' || query.get('continue') || query.get('resourceVersionMatch') === 'Exact') return false;
  return version === '0' || positive(query.get('limit')) === undefined;
}

function isSelective(query: URLSearchParams): boolean {
  return Boolean(query.get('labelSelector') || query.get('fieldSelector'));
}

function positive(text: string | null): number | undefined {
  const number = Number(text ?? '');
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}
