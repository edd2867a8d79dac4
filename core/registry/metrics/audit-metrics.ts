import type {AuditLevel, MetricDeclaration, Metrics} from '../../../sdk/index.js';
import type {AuditFigures} from '../audit/audit-log.js';
import {growingTotal} from '../../metrics/growing-total.js';

const alpha = {stability: 'ALPHA'} as const;

/** Metrics of the audit log, under the names of Kubernetes. */
const auditMetrics = {
  events: {...alpha, name: 'apiserver_audit_event_total', help: 'Audit events that were made.'},
  errors: {...alpha, name: 'apiserver_audit_error_total', help: 'Audit events that were lost, by sink.', labels: ['plugin']},
  levels: {...alpha, name: 'apiserver_audit_level_total', help: 'Requests by the level that the audit policy chose.', labels: ['level']},
  refused: {
    ...alpha,
    name: 'apiserver_audit_requests_rejected_total',
    help: 'Requests that were refused because they could not be recorded.',
  },
} as const satisfies Record<string, MetricDeclaration>;

/** Registers the metrics; their values are read at every scrape. */
export function registerAuditMetrics(metrics: Metrics, figures: () => AuditFigures): void {
  const events = growingTotal(metrics.counter(auditMetrics.events).with());
  const refused = growingTotal(metrics.counter(auditMetrics.refused).with());
  const errors = metrics.counter(auditMetrics.errors);
  const levels = metrics.counter(auditMetrics.levels);
  const ofSinks = new Map<string, (total: number) => void>();
  const ofLevels = new Map<AuditLevel, (total: number) => void>();
  metrics.collect(() => {
    const now = figures();
    events(now.events);
    refused(now.refused);
    for (const [sink, total] of now.lost) {
      let setTotal = ofSinks.get(sink);
      if (!setTotal) ofSinks.set(sink, (setTotal = growingTotal(errors.with(sink))));
      setTotal(total);
    }
    for (const [level, total] of now.levels) {
      let setTotal = ofLevels.get(level);
      if (!setTotal) ofLevels.set(level, (setTotal = growingTotal(levels.with(level))));
      setTotal(total);
    }
  });
}
