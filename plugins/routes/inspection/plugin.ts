export {ObjectHistory} from './object-history.js';
export {OwnerGraphs} from './owner-graphs.js';
export {RequestVerdicts} from './request-verdicts.js';
