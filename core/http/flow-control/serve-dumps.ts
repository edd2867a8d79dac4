import {pathNotFound} from '../../../sdk/index.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import {respondText} from '../response/respond.js';
import {dumpPriorityLevels, dumpQueues, dumpRequests} from './dump.js';
import type {RequestFlowControl} from './request-flow-control.js';

/** Shows administrators what waits and why: `/debug/api_priority_and_fairness/dump_priority_levels`, `dump_queues` and `dump_requests`, as Kubernetes 1.26. */
export class FlowControlDumps {
  readonly #flowControl: RequestFlowControl | undefined;

  constructor(flowControl: RequestFlowControl | undefined) {
    this.#flowControl = flowControl;
  }

  static owns(segments: readonly string[]): boolean {
    return segments.length === 3 && segments[0] === 'debug' && segments[1] === 'api_priority_and_fairness';
  }

  /** @throws 404 for another dump, and where priority and fairness is off */
  async serve(exchange: AuthenticatedExchange): Promise<void> {
    if (!this.#flowControl) throw pathNotFound();
    respondText(exchange, 200, this.#dump(exchange, this.#flowControl));
  }

  #dump({info, query}: AuthenticatedExchange, {levels, clock}: RequestFlowControl): string {
    switch (info.segments[2]) {
      case 'dump_priority_levels':
        return dumpPriorityLevels(levels);
      case 'dump_queues':
        return dumpQueues(levels);
      case 'dump_requests':
        return dumpRequests(levels, Boolean(query.get('includeRequestDetails')), {clock: clock(), time: Date.now()});
      default:
        throw pathNotFound();
    }
  }
}
