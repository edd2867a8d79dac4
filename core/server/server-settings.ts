import type {ElectionTimes} from '../../sdk/controllers/index.js';
import type {CooperativeScheduler, Logger, NamingProfile} from '../../sdk/index.js';
import type {RequestLogSettings} from '../http/filters/log-requests.js';
import type {AllowedOrigins} from '../http/filters/check-origin.js';
import type {HttpLimits} from '../http/limits/http-limits.js';
import type {AuditPolicy} from '../registry/audit/audit-policy.js';
import type {AdmissionConfigurationFile} from '../configuration/admission-configuration-file.js';
import type {EncryptionAtRest} from '../encryption/encryption-at-rest.js';
import type {LogLevels} from '../logs/log-levels.js';
import type {MovableClock} from '../testing/movable-clock.js';
import type {TraceExport} from '../tracing/export/trace-export.js';
import type {WorkerPlace} from '../workers/worker-place.js';
import type {ServingSettings} from '../tls/serving-options.js';

/** The resolved options of a server. */
export interface ServerSettings {
  readonly naming: NamingProfile;
  /** Absolute path. */
  readonly dataDir: string;
  readonly store: string;
  readonly bindAddress: string;
  /** IP address at which others reach the server. */
  readonly advertiseAddress: string;
  readonly securePort: number;
  /** Undefined for a server of one process. */
  readonly place: WorkerPlace | undefined;
  readonly serving: ServingSettings;
  readonly historyMillis: number;
  /** Undefined when nothing is encrypted in the store. */
  readonly encryption: EncryptionAtRest | undefined;
  readonly admissionConfiguration: AdmissionConfigurationFile | undefined;
  /** `--runtime-config`: `GROUP/VERSION`, `GROUP/VERSION/RESOURCE` or `api/…` → whether it is served. */
  readonly runtimeConfig: ReadonlyMap<string, boolean>;
  readonly limits: HttpLimits;
  readonly origins: AllowedOrigins;
  readonly priorityAndFairness: boolean;
  /** Of a server for tests. */
  readonly movableClock: MovableClock | undefined;
  readonly strictAdmission: boolean;
  readonly election: ElectionTimes;
  /** Undefined when no requests are recorded. */
  readonly auditPolicy: AuditPolicy | undefined;
  readonly scheduler: CooperativeScheduler;
  readonly logger: Logger;
  /** Least levels of what `logger` writes. */
  readonly logLevels: LogLevels;
  readonly requestLog: RequestLogSettings;
  /** Undefined when no traces are exported. */
  readonly traces: TraceExport | undefined;
}
