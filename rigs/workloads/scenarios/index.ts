import {autoscalerScenarios} from './autoscalers.js';
import {budgetScenarios} from './budgets.js';
import {cronScenarios} from './cron-jobs.js';
import {daemonScenarios} from './daemon-sets.js';
import {jobScenarios} from './jobs.js';
import {replicaScenarios} from './replicas.js';
import type {Scenario} from './scenario.js';
import {setScenarios} from './stateful-sets.js';

export type {Scenario} from './scenario.js';

export const scenarios: readonly Scenario[] = [
  ...replicaScenarios,
  ...setScenarios,
  ...daemonScenarios,
  ...jobScenarios,
  ...cronScenarios,
  ...budgetScenarios,
  ...autoscalerScenarios,
];
