import type {
  AdmissionHalf,
  AdmissionListener,
  AdmissionTiming,
  CounterSeries,
  HistogramDeclaration,
  HistogramSeries,
  Metric,
  MetricDeclaration,
  Metrics,
  WebhookCallEvent,
} from '../../../sdk/index.js';

const prefix = 'apiserver_admission_';
const stable = {stability: 'STABLE', since: '1.21'} as const;
const buckets = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
const timing = ['type', 'operation', 'rejected'];

/** The metrics of admission: names and labels are those of Kubernetes 1.26. */
export const admissionMetrics = {
  step: {
    ...stable,
    name: `${prefix}step_admission_duration_seconds`,
    help: 'Time that all admission controllers took together, by half of admission, operation and whether the write was refused.',
    labels: timing,
    buckets,
  },
  controller: {
    ...stable,
    name: `${prefix}controller_admission_duration_seconds`,
    help: 'Time that one admission controller took, by its name, half of admission, operation and whether it refused the write.',
    labels: ['name', ...timing],
    buckets,
  },
  webhook: {
    ...stable,
    name: `${prefix}webhook_admission_duration_seconds`,
    help: 'Time that an admission webhook took, by its name, type, operation and whether it refused the write.',
    labels: ['name', ...timing],
    buckets: [...buckets, 10, 25],
  },
  rejections: {
    stability: 'ALPHA',
    name: `${prefix}webhook_rejection_count`,
    help: 'Writes refused because of an admission webhook, by its name, type, operation, kind of error and the code that it gave.',
    labels: ['name', 'type', 'operation', 'error_type', 'rejection_code'],
  },
  failedOpen: {
    stability: 'ALPHA',
    name: `${prefix}webhook_fail_open_count`,
    help: 'Writes that went on though an admission webhook failed, by its name and type.',
    labels: ['name', 'type'],
  },
  calls: {
    stability: 'ALPHA',
    name: `${prefix}webhook_request_total`,
    help: 'Calls of admission webhooks, by name, type, operation, code (0 for a call that failed) and whether the write was refused.',
    labels: ['name', 'type', 'operation', 'code', 'rejected'],
  },
} as const satisfies Record<string, MetricDeclaration | HistogramDeclaration>;

/** By name and operation, then by half and whether the write was rejected. Bounded by the controllers of the server. */
type KeptSeries = Map<string, Map<string, (HistogramSeries | undefined)[]>>;

/** Metrics of admission. */
export class AdmissionFigures implements AdmissionListener {
  readonly #steps: KeptSeries = new Map();
  readonly #controllers: KeptSeries = new Map();
  readonly #step: Metric<HistogramSeries>;
  readonly #controller: Metric<HistogramSeries>;
  readonly #webhook: Metric<HistogramSeries>;
  readonly #rejections: Metric<CounterSeries>;
  readonly #failedOpen: Metric<CounterSeries>;
  readonly #calls: Metric<CounterSeries>;

  constructor(metrics: Metrics) {
    this.#step = metrics.histogram(admissionMetrics.step);
    this.#controller = metrics.histogram(admissionMetrics.controller);
    this.#webhook = metrics.histogram(admissionMetrics.webhook);
    this.#rejections = metrics.counter(admissionMetrics.rejections);
    this.#failedOpen = metrics.counter(admissionMetrics.failedOpen);
    this.#calls = metrics.counter(admissionMetrics.calls);
  }

  stepDone({type, operation, rejected, seconds}: AdmissionTiming & {readonly type: AdmissionHalf}): void {
    this.#kept(this.#steps, '', type, operation, rejected).observe(seconds);
  }

  controllerDone({
    name,
    type,
    operation,
    rejected,
    seconds,
  }: AdmissionTiming & {readonly type: AdmissionHalf; readonly name: string}): void {
    this.#kept(this.#controllers, name, type, operation, rejected).observe(seconds);
  }

  /** Finds a series without making a key, because every write passes many controllers. */
  #kept(known: KeptSeries, name: string, type: AdmissionHalf, operation: string, rejected: boolean): HistogramSeries {
    let ofName = known.get(name);
    if (!ofName) known.set(name, (ofName = new Map()));
    let ofOperation = ofName.get(operation);
    if (!ofOperation) ofName.set(operation, (ofOperation = []));
    const place = (type === 'admit' ? 0 : 2) + (rejected ? 1 : 0);
    return (ofOperation[place] ??=
      name === '' ? this.#step.with(type, operation, String(rejected)) : this.#controller.with(name, type, operation, String(rejected)));
  }

  webhookDone({name, type, operation, rejected, seconds, code, error, failedOpen}: WebhookCallEvent): void {
    const refused = String(rejected);
    this.#webhook.with(name, type, operation, refused).observe(seconds);
    this.#calls.with(name, type, operation, String(code), refused).add();
    if (failedOpen) this.#failedOpen.with(name, type).add();
    if (rejected) this.#rejections.with(name, type, operation, error, String(code)).add();
  }
}
