import type {Unchecked} from '../../../sdk/index.js';
import type * as v1 from '../../../sdk/types/autoscaling/v1.js';

/** A metric in the annotation `autoscaling.alpha.orch/metrics` of `autoscaling/v1`. */
export type MetricSpecV1 = Unchecked<v1.MetricSpec>;

/** A metric's state in the annotation `autoscaling.alpha.orch/current-metrics`. */
export type MetricStatusV1 = Unchecked<v1.MetricStatus>;
