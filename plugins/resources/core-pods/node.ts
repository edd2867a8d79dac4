import type {Unchecked} from '../../../sdk/index.js';
import type * as core from '../../../sdk/types/core/v1.js';

export type Node = Unchecked<core.Node>;
export type Taint = Unchecked<core.Taint>;
