import type {HistogramDeclaration, MetricDeclaration} from '../../../sdk/index.js';

const what = ['group', 'version', 'resource', 'subresource', 'scope', 'component'];
const verbAndDryRun = ['verb', 'dry_run'];
/** Many definitions make many series (by type, verb and scope), of two dozen lines each. */
const maximumSeries = 4000;

/** The metrics of requests: names and labels are those of Kubernetes 1.26. */
export const requestMetrics = {
  total: {
    name: 'apiserver_request_total',
    help: 'Requests by verb, dry run, type, scope, component and HTTP response code; code 0 where the client had gone before it was answered.',
    stability: 'STABLE',
    since: '1.21',
    labels: [...verbAndDryRun, ...what, 'code'],
    maximumSeries,
  },
  duration: {
    name: 'apiserver_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer, by verb, dry run, type, scope and component.',
    stability: 'STABLE',
    since: '1.21',
    labels: [...verbAndDryRun, ...what],
    maximumSeries,
    buckets: [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60],
  },
  responseSizes: {
    name: 'apiserver_response_sizes',
    help: 'Size of the bodies that answer GET and LIST, in bytes, by verb, type, scope and component.',
    stability: 'STABLE',
    since: '1.21',
    labels: ['verb', ...what],
    maximumSeries,
    buckets: [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9],
  },
  longRunning: {
    name: 'apiserver_longrunning_requests',
    help: 'Requests under way that are meant to last (watches, exec, attach, port forwarding, logs, proxies), by verb, type, scope and component.',
    stability: 'STABLE',
    since: '1.21',
    labels: ['verb', ...what],
    maximumSeries,
  },
  terminations: {
    name: 'apiserver_request_terminations_total',
    help: 'Requests that the server ended or refused to protect itself: too late, or too many or too large under way; by verb, type, scope, component and code.',
    stability: 'ALPHA',
    labels: ['verb', ...what, 'code'],
    maximumSeries,
  },
  inFlight: {
    name: 'apiserver_current_inflight_requests',
    help: 'The most requests that were under way at once within the last second, by kind; those that last do not count.',
    stability: 'STABLE',
    since: '1.21',
    labels: ['request_kind'],
  },
  deprecated: {
    name: 'apiserver_requested_deprecated_apis',
    help: 'Deprecated APIs that have been requested, by group, version, resource, subresource and the release that removes them.',
    stability: 'STABLE',
    since: '1.21',
    labels: ['group', 'version', 'resource', 'subresource', 'removed_release'],
  },
} as const satisfies Record<string, MetricDeclaration | HistogramDeclaration>;

export const accessMetrics = {
  authentications: {
    name: 'authentication_attempts',
    help: 'Authenticated attempts by result: success, failure (nobody knows the caller) or error (credentials were refused).',
    stability: 'ALPHA',
    labels: ['result'],
  },
  users: {
    name: 'authenticated_user_requests',
    help: 'Authenticated requests by the kind of user: names are never told.',
    stability: 'ALPHA',
    labels: ['username'],
  },
  authorizations: {
    name: 'authorization_attempts_total',
    help: 'Authorization attempts by result: allowed, denied, no-opinion (nobody allowed it) or error.',
    stability: 'ALPHA',
    labels: ['result'],
  },
  decisions: {
    name: 'apiserver_authorization_decisions_total',
    help: 'Decisions by the authorizer that made them, its type and name, and whether it allowed.',
    stability: 'ALPHA',
    labels: ['type', 'name', 'decision'],
  },
  duration: {
    name: 'authentication_duration_seconds',
    help: 'Time until it was known who makes a request, by result: success, failure (nobody knows the caller) or error.',
    stability: 'ALPHA',
    labels: ['result'],
    buckets: [0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1.024, 2.048, 4.096, 8.192, 16.384],
  },
} as const satisfies Record<string, MetricDeclaration | HistogramDeclaration>;

const byResource = {labels: {since: '1.34', names: ['group', 'version', 'resource']}} as const;

export const watchMetrics = {
  events: {
    name: 'apiserver_watch_events_total',
    help: 'Events sent to watching clients, by group, version and kind (resource from 1.34 on).',
    stability: 'ALPHA',
    labels: ['group', 'version', 'kind'],
    releases: byResource,
    maximumSeries,
  },
  sizes: {
    name: 'apiserver_watch_events_sizes',
    help: 'Sizes of the events sent to watching clients, in bytes, by group, version and kind (resource from 1.34 on).',
    stability: 'ALPHA',
    labels: ['group', 'version', 'kind'],
    releases: byResource,
    maximumSeries,
    buckets: [1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072],
  },
  registered: {
    name: 'apiserver_registered_watchers',
    help: 'Watches that are open, by group, version and kind (resource from 1.34 on).',
    stability: 'ALPHA',
    labels: ['group', 'version', 'kind'],
    releases: byResource,
    maximumSeries,
  },
} as const satisfies Record<string, MetricDeclaration | HistogramDeclaration>;
