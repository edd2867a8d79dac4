import type {NamingProfile} from '../../../sdk/index.js';
import type {Tracer} from '../../tracing/tracer.js';
import type {Exchange} from '../request/exchange.js';
import type {RequestInfo} from '../request/request-info.js';
import type {Filter} from './filter.js';

/** Members of these may have their requests traced by asking for it, and show them as parts of their own traces, as in Kubernetes. */
const trustedGroups = ['system:masters', 'system:monitoring'];
const longestUserAgent = 200;

/** Chooses the requests whose traces are exported, and exports them when their answers have gone out. Stands behind authentication: who asks matters. */
export function exportTraces(tracer: Tracer, naming: NamingProfile): Filter {
  const annotation = naming.key('tracing.orch/trace-id');
  return (exchange, next) => {
    const {trace, user} = exchange;
    if (!trace) return next();
    tracer.decide(
      trace,
      exchange.header('traceparent'),
      user.groups.some((group) => trustedGroups.includes(group)),
    );
    const {context} = trace;
    if (!context) return next();
    exchange.annotate(annotation, context.traceId);
    exchange.whenFinished(() => finish(tracer, exchange));
    return tracer.within(trace, next);
  };
}

function finish(tracer: Tracer, exchange: Exchange): void {
  const {info, method, id, response, trace, user} = exchange;
  const status = response.headersSent ? response.statusCode : 0;
  tracer.finish({
    trace: trace!,
    name: `${method} ${nameOf(info)}`,
    attributes: {
      'http.request.method': method,
      'http.response.status_code': status,
      'url.path': exchange.path,
      'user_agent.original': (exchange.header('user-agent') ?? '').slice(0, longestUserAgent),
      'audit-id': id,
      'enduser.id': user.username,
      'k8s.verb': info.verb,
      ...(info.isResourceRequest ? {'k8s.resource': info.resource, 'k8s.namespace.name': info.namespace} : {}),
    },
    ended: performance.now(),
    failed: status >= 500 || status === 0,
  });
}

/** The path without what differs from object to object. */
function nameOf({isResourceRequest, group, version, resource, subresource, namespace, name, segments}: RequestInfo): string {
  if (!isResourceRequest) return `/${segments[0] ?? ''}`;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const place = namespace === '' ? '' : '/namespaces/{namespace}';
  return `${root}${place}/${resource}${name === '' ? '' : '/{name}'}${subresource === '' ? '' : `/${subresource}`}`;
}
