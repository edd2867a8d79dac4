export {RecentAuditEvents} from './audit-events.js';
export {ExpressionTrials} from './expression-trials.js';
export {ObjectHistory} from './object-history.js';
export {OwnerGraphs} from './owner-graphs.js';
export {RequestVerdicts} from './request-verdicts.js';
export {ServerFlags, ServerPlugins, ServerState} from './server-state.js';
