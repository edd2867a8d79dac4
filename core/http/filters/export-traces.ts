import type {NamingProfile} from '../../../sdk/index.js';
import type {Tracer} from '../../tracing/tracer.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import type {RequestInfo} from '../request/request-info.js';
import type {Filter} from './filter.js';

/** Members of these may have their requests traced by asking for it, and show them as parts of their own traces, as in Kubernetes. */
const trustedGroups = ['system:masters', 'system:monitoring'];
/** Longest text that is kept of a request: thousands of traces may wait for a collector. */
const longestText = 256;

/** Samples requests, and exports their traces when their responses have been sent. Runs after authentication, because the caller matters. */
export function exportTraces(tracer: Tracer, naming: NamingProfile): Filter<AuthenticatedExchange> {
  const annotation = naming.key('tracing.orch/trace-id');
  return (exchange, next) => {
    const {trace, user} = exchange;
    if (!trace) return next(exchange);
    tracer.decide(
      trace,
      exchange.header('traceparent'),
      user.groups.some((group) => trustedGroups.includes(group)),
    );
    const {context} = trace;
    if (!context) return next(exchange);
    exchange.annotate(annotation, context.traceId);
    exchange.whenFinished(() => finish(tracer, exchange));
    return tracer.within(trace, () => next(exchange));
  };
}

function finish(tracer: Tracer, exchange: AuthenticatedExchange): void {
  const {info, method, id, response, trace, user} = exchange;
  const status = response.headersSent ? response.statusCode : 0;
  tracer.finish({
    trace: trace!,
    name: ownText(`${method} ${nameOf(info)}`),
    attributes: {
      'http.request.method': method,
      'http.response.status_code': status,
      'url.path': ownText(exchange.path),
      'user_agent.original': ownText(exchange.header('user-agent') ?? ''),
      'audit-id': ownText(id),
      'enduser.id': ownText(user.username),
      'k8s.verb': ownText(info.verb),
      ...(info.isResourceRequest ? {'k8s.resource': ownText(info.resource), 'k8s.namespace.name': ownText(info.namespace)} : {}),
    },
    ended: performance.now(),
    failed: status >= 500 || status === 0,
  });
}

/** The beginning of a string, copied: a substring would keep the whole string alive. */
function ownText(text: string): string {
  return Buffer.from(text.slice(0, longestText)).toString();
}

/** The path without what differs from object to object. */
function nameOf({isResourceRequest, group, version, resource, subresource, namespace, name, segments}: RequestInfo): string {
  if (!isResourceRequest) return `/${segments[0] ?? ''}`;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const place = namespace === '' ? '' : '/namespaces/{namespace}';
  return `${root}${place}/${resource}${name === '' ? '' : '/{name}'}${subresource === '' ? '' : `/${subresource}`}`;
}
