export {JobValidation} from './job-validation.js';
export {PodGroupWorkloadExists} from './pod-group-workload-exists.js';
