import {join} from 'node:path';
import type {AuditEvent, RequestReport, ServerPaths} from '../../sdk/index.js';
import {SchemaCatalog} from '../api/object-schema/schema-catalog.js';
import {Broadcast} from '../http/request/broadcast.js';
import {MetricRegistry} from '../metrics/metric-registry.js';
import {AdmissionFigures} from '../registry/metrics/admission-figures.js';
import {AdmissionBroadcast} from '../registry/write/admission-events.js';
import type {ResolvedOptions} from './server-settings.js';

/** What a server has before it knows its plugins. */
export interface Basics {
  readonly paths: ServerPaths;
  readonly schemas: SchemaCatalog;
  readonly metrics: MetricRegistry;
  readonly admissionEvents: AdmissionBroadcast;
  readonly requestReports: Broadcast<RequestReport>;
  readonly auditEvents: Broadcast<AuditEvent>;
}

export function makeBasics({naming, release, dataDir, traces, logger}: ResolvedOptions): Basics {
  const metrics = new MetricRegistry(logger.child({part: 'metrics'}), release);
  traces?.registerMetrics(metrics);
  const admissionEvents = new AdmissionBroadcast();
  admissionEvents.listen(new AdmissionFigures(metrics));
  const pki = join(dataDir, 'pki');
  return {
    paths: {dataDir, clientCaFile: join(pki, 'ca.crt'), clientCaKeyFile: join(pki, 'ca.key')},
    schemas: new SchemaCatalog(naming, release),
    metrics,
    admissionEvents,
    requestReports: new Broadcast('reports of requests'),
    auditEvents: new Broadcast('audit events'),
  };
}
