import {definitionScenarios} from './definition-scenarios.js';
import {formatScenarios} from './format-scenarios.js';
import {objectScenarios} from './object-scenarios.js';
import {publishedScenarios} from './published-scenarios.js';
import {ratchetingScenarios} from './ratcheting-scenarios.js';
import type {Scenario} from './scenario.js';
import {schemaScenarios} from './schema-scenarios.js';
import {statusScenarios} from './status-scenarios.js';
import {valueScenarios} from './value-scenarios.js';

/** All requests about definitions and their objects, the same each time. */
export function definitionRequestScenarios(): Scenario[] {
  return [
    ...statusScenarios(),
    ...schemaScenarios(),
    ...definitionScenarios(),
    ...objectScenarios(),
    ...ratchetingScenarios(),
    ...formatScenarios(),
    ...valueScenarios(),
    ...publishedScenarios(),
  ];
}
