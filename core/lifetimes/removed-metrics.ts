import type {MetricWithLifetime} from '../api/lifetimes/metric-lifetime-faults.js';

/**
 * Stable metrics that earlier releases had, with the release that removed them (`deprecated.removal`). The check of declared lifetimes checks when
 * that was; whatever stable is removed from the declarations must be added here.
 */
export const removedMetrics: readonly MetricWithLifetime[] = [];
