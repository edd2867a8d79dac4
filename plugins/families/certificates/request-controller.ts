import {isNotFound, StatusError, type ApiObject} from '../../../sdk/index.js';
import {done, Reconciler, type ControllerParts, type ReconcilerOptions, type WorkResult} from '../../../sdk/controllers/index.js';
import {signingRequests, type SigningRequest} from './request-object.js';

export interface RequestControllerOptions extends ControllerParts {
  /** Where its queue is counted. */
  readonly figures: ReconcilerOptions['figures'];
  /** Called for each state that the watch reports; returns whether the request needs work. */
  concerns(request: SigningRequest): boolean;
  /** Works on the current state. A conflict is not a failure, because the watch will report the change. */
  work(request: SigningRequest): Promise<WorkResult>;
  deleted?(request: ApiObject): void;
}

/**
 * Works on certificate requests. Safe to run on several servers at once: writes contain the version that was read, so the second of two
 * writes fails.
 */
export class RequestController extends Reconciler {
  constructor({concerns, work, deleted, ...parts}: RequestControllerOptions) {
    super({
      ...parts,
      concurrency: 5,
      types: [
        {
          ref: signingRequests,
          changed: (request) => (concerns(request as SigningRequest) ? [request.metadata.name!] : []),
          deleted: (request) => {
            deleted?.(request);
            return [];
          },
        },
      ],
      reconcile: async (name) => {
        try {
          const request = (await parts.resources.get(signingRequests, '', name)) as SigningRequest;
          return concerns(request) && !request.metadata.deletionTimestamp ? await work(request) : done;
        } catch (error) {
          if (isNotFound(error) || (StatusError.is(error) && error.reason === 'Conflict')) return done;
          throw error;
        }
      },
    });
  }
}
