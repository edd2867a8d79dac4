export {FlowSchemaStrategy} from './flow-schema-strategy.js';
export {PriorityLevelConfigurationStrategy} from './priority-level-configuration-strategy.js';
