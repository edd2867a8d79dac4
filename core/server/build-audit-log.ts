import type {Contributions} from '../kernel/contributions.js';
import {AuditLog} from '../registry/audit/audit-log.js';
import type {ServerSettings} from './server-settings.js';

/** Undefined when nothing is recorded: a policy without a sink, or a sink without a policy, is told in the log. */
export function buildAuditLog(
  {auditSinks}: Contributions,
  {auditPolicy: policy, naming, logger}: Pick<ServerSettings, 'auditPolicy' | 'logger' | 'naming'>,
): AuditLog | undefined {
  const sinks = auditSinks.filter(({instance}) => instance.enabled !== false);
  const names = sinks.map(({name}) => name);
  if (!policy && sinks.length > 0) logger.warn({sinks: names}, 'no audit policy file is given: no events are recorded');
  if (policy && sinks.length === 0) logger.warn({}, 'an audit policy file is given, but no audit log or webhook');
  if (!policy || sinks.length === 0) return undefined;
  return new AuditLog({policy, sinks, naming, logger: logger.child({part: 'audit'})});
}
