import type {AggregatedVersion} from '../../../sdk/index.js';
import type {ResourceTypeVersion} from './resource-type.js';

/** A served group version: with its types, or `aggregated` if it is not made of types. */
export interface GroupVersionEntry {
  readonly group: string;
  readonly version: string;
  readonly types: readonly ResourceTypeVersion[];
  readonly aggregated?: AggregatedVersion;
}

/** A served API group; `versions` in order of preference. */
export interface GroupEntry {
  readonly group: string;
  readonly priority: number;
  readonly versions: readonly GroupVersionEntry[];
}
