import type {ResourceRef} from '../../../sdk/index.js';

export const endpointsRef: ResourceRef = {group: '', version: 'v1', resource: 'endpoints'};
