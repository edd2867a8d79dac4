import type {ResourceRef} from '../../../sdk/index.js';

export const budgets: ResourceRef = {group: 'policy', version: 'v1', resource: 'poddisruptionbudgets'};
