import type {Unchecked} from '../../../sdk/index.js';
import type * as v1beta3 from '../../../sdk/types/flowcontrol.apiserver/v1beta3.js';
import type * as v1beta2 from '../../../sdk/types/flowcontrol.apiserver/v1beta2.js';

/** With the names of the shares in both versions. */
export type LimitedPriorityLevel = Unchecked<v1beta2.LimitedPriorityLevelConfiguration> &
  Unchecked<v1beta3.LimitedPriorityLevelConfiguration>;
export type PriorityLevelSpec = Omit<Unchecked<v1beta3.PriorityLevelConfigurationSpec>, 'limited'> & {limited?: LimitedPriorityLevel};
export type PriorityLevelConfiguration = Omit<Unchecked<v1beta3.PriorityLevelConfiguration>, 'spec'> & {spec?: PriorityLevelSpec};
