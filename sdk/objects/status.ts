import type {ListMeta} from './object-meta.js';

/** Why a request failed, in one word (Kubernetes' `metav1.StatusReason`). */
export type StatusReason =
  | 'BadRequest'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Expired'
  | 'RequestEntityTooLarge'
  | 'UnsupportedMediaType'
  | 'Invalid'
  | 'TooManyRequests'
  | 'InternalError'
  | 'StoreReadError'
  | 'ServiceUnavailable'
  | 'ServerTimeout'
  | 'Timeout'
  | 'Unknown';

/** One of several errors behind a failed request. `field` is a path such as `spec.items[0].name`. */
export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  /** Seconds after which a retry may succeed; also sent as `Retry-After`. */
  retryAfterSeconds?: number;
}

/** The body of every failure, and of a deletion that leaves nothing behind (Kubernetes' `metav1.Status`). */
export interface Status {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: ListMeta;
  status: 'Success' | 'Failure';
  message?: string;
  reason?: StatusReason;
  details?: StatusDetails;
  code: number;
}
