import type {ApiObject} from '../../../sdk/index.js';

/** What single pods, containers and claims of a namespace may ask for. */
export interface LimitRange extends ApiObject {
  spec?: {limits?: LimitRangeItem[]};
}

export type Amounts = Record<string, string>;

export interface LimitRangeItem {
  /** `Pod`, `Container`, `PersistentVolumeClaim`, or somebody's own. */
  type?: string;
  max?: Amounts;
  min?: Amounts;
  default?: Amounts;
  defaultRequest?: Amounts;
  maxLimitRequestRatio?: Amounts;
}
