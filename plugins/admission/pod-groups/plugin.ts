export {JobValidation} from './job-validation.js';
export {PodGroupProtection} from './pod-group-protection.js';
export {PodGroupWorkloadExists} from './pod-group-workload-exists.js';
