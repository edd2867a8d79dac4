import {Environment} from '@marcbachmann/cel-js';
import {addAddressFunctions} from './functions/addresses.js';
import {addConversions} from './functions/conversions.js';
import {addListFunctions} from './functions/lists.js';
import {addQuantityFunctions} from './functions/quantities.js';
import {addRegexFunctions} from './functions/regex.js';
import {addSemverFunctions} from './functions/semver.js';
import {addStringFunctions} from './functions/strings.js';
import {addTimeFunctions, timeFunctions} from './functions/times.js';
import {addUrlFunctions} from './functions/urls.js';

let base: Environment | undefined;

/** An environment with all Kubernetes functions and no variables. Additions to it are private to the caller. */
export function kubernetesEnvironment(): Environment {
  base ??= makeBase();
  return base.clone();
}

function makeBase(): Environment {
  const environment = new Environment({
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: true,
    limits: {maxAstNodes: 20_000, maxDepth: 200},
  });
  addStringFunctions(environment);
  addRegexFunctions(environment);
  addListFunctions(environment);
  addUrlFunctions(environment);
  addAddressFunctions(environment);
  addQuantityFunctions(environment);
  addSemverFunctions(environment);
  addConversions(environment);
  addTimeFunctions(environment);
  return environment;
}

/** The library's methods and functions that ours replace, because they take too long on hostile strings or count UTF-16 units. */
export const replaced: ReadonlySet<string> = new Set([
  'matches',
  'contains',
  'lowerAscii',
  'upperAscii',
  'indexOf',
  'lastIndexOf',
  'substring',
  'split',
  'join',
  'duration',
  ...timeFunctions,
]);
