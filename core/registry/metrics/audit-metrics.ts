import type {AuditLevel, MetricDeclaration, Metrics} from '../../../sdk/index.js';
import type {AuditFigures} from '../audit/audit-log.js';
import {growingTotal} from '../../metrics/growing-total.js';

const alpha = {stability: 'ALPHA'} as const;

/** What is known of the audit log, under the names of Kubernetes. */
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

/** Has everything told that the audit log knows when somebody looks. */
export function tellAudit(metrics: Metrics, figures: () => AuditFigures): void {
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
      let tell = ofSinks.get(sink);
      if (!tell) ofSinks.set(sink, (tell = growingTotal(errors.with(sink))));
      tell(total);
    }
    for (const [level, total] of now.levels) {
      let tell = ofLevels.get(level);
      if (!tell) ofLevels.set(level, (tell = growingTotal(levels.with(level))));
      tell(total);
    }
  });
}
