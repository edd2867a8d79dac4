import type {RequestInfo} from '../request/request-info.js';
import type {WatchCounts} from './watch-counts.js';
import {oneSeat, type Work} from './work.js';

/** Maximum seats of one request. */
const mostSeats = 10;
/** Objects of a list that count as one seat. */
const objectsPerSeat = 100;
/** Watches whose events count as one seat, and for how many milliseconds. */
const watchesPerSeat = 10;
const eventMillis = 5;

const listsOf: readonly Work[] = Array.from({length: mostSeats + 1}, (_, seats) => ({seats, finalSeats: 0, finalMillis: 0}));

export interface WorkEstimatorOptions {
  /** Number of objects of a type in all namespaces; undefined for an unknown type, and while the number is unknown. */
  readonly countObjects: (info: RequestInfo) => number | undefined;
  readonly watches: WatchCounts;
}

/** Estimates the work of requests as Kubernetes 1.26 does: lists by the number of objects to examine, writes by the number of watches to notify. */
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
    // A list narrowed to one name reads one object.
    const count = info.name === '' ? this.#options.countObjects(info) : undefined;
    if (count === undefined) return oneSeat;
    const limit = Math.min(count, positive(query.get('limit')) ?? count);
    const looked = isOfAnyVersion(query) ? count : isSelective(query) ? count + limit : 2 * limit;
    return listsOf[Math.min(mostSeats, Math.max(1, Math.ceil(looked / objectsPerSeat)))]!;
  }

  #write(info: RequestInfo): Work {
    const watches = this.#options.watches.interestedIn(info);
    // A few watches cost next to nothing, and creating a token changes nothing that can be watched.
    if (watches < watchesPerSeat || (info.resource === 'serviceaccounts' && info.subresource === 'token')) return oneSeat;
    const seats = Math.ceil(watches / watchesPerSeat);
    // The same work, on fewer seats for a longer time.
    const finalSeats = Math.min(seats, mostSeats);
    return {seats: 1, finalSeats, finalMillis: (seats * eventMillis) / finalSeats};
  }
}

/** Whether kube-apiserver could answer the list from its watch cache, where it examines every object. */
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
