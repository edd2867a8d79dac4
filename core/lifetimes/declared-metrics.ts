import {queueMetrics} from '../../sdk/controllers/index.js';
import {flowMetrics} from '../http/flow-control/flow-figures.js';
import {accessMetrics, requestMetrics, watchMetrics} from '../http/metrics/request-declarations.js';
import type {AnyDeclaration} from '../metrics/metric-family.js';
import {admissionMetrics} from '../registry/metrics/admission-figures.js';
import {buildMetrics} from '../http/metrics/build-metrics.js';
import {httpMetrics} from '../http/metrics/http-metrics.js';
import {tracingMetrics} from '../tracing/export/tracing-metrics.js';
import {storageMetrics} from '../registry/metrics/storage-metrics.js';

/** All metrics of servers, except those of the process and of third-party plugins. */
export const declaredMetrics: readonly AnyDeclaration[] = [
  requestMetrics,
  accessMetrics,
  watchMetrics,
  flowMetrics,
  admissionMetrics,
  storageMetrics,
  httpMetrics,
  buildMetrics,
  queueMetrics,
  tracingMetrics,
].flatMap((metrics) => Object.values<AnyDeclaration>(metrics));
