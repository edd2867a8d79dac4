import type {HttpsClient} from '../../../test/helpers/https-client.js';
import type {Teardown} from '../../../test/helpers/temp-folder.js';
import type {Answer} from '../answers.js';
import {startOwnServer} from '../compare.js';
import {differenceOf, type Difference} from '../differences.js';
import {asAdministrator} from '../real-server.js';
import {readScenarios, type RecordedScenario} from './recorded-scenarios.js';
import {definitionRequestScenarios} from './scenarios.js';
import {sendScenarios} from './send-scenarios.js';

export interface DefinitionComparison {
  readonly count: number;
  readonly differences: readonly Difference[];
}

/** What a real server answers to requests about definitions and their objects. @param isWanted by the name of the scenario */
export async function recordScenarios(
  real: HttpsClient,
  isWanted: (name: string) => boolean,
  progress: (done: number) => void,
): Promise<RecordedScenario[]> {
  const scenarios = definitionRequestScenarios().filter(({name}) => isWanted(name));
  const answers = await sendScenarios(real, scenarios, asAdministrator, progress);
  return scenarios.map((scenario, at) => ({scenario, answers: answers[at]!}));
}

/** Sends what was recorded of a release to a server of our own. @returns all differences, known ones too */
export async function compareScenarios(
  t: Teardown,
  release: string,
  recorded: readonly RecordedScenario[] = readScenarios(release),
): Promise<DefinitionComparison> {
  const own = await startOwnServer(t, release);
  const scenarios = recorded.map(({scenario}) => scenario);
  const mine = await sendScenarios(own, scenarios, {});
  const differences = recorded.flatMap(({scenario, answers}, at) =>
    scenario.requests.flatMap((request, position) => {
      const about = `${scenario.name}: ${request.about}`;
      // Those who read a difference look at no more of the request than this.
      return differenceOf({...request, about} as never, answers[position] as Answer, mine[at]![position]!) ?? [];
    }),
  );
  return {count: scenarios.reduce((sum, {requests}) => sum + requests.length, 0), differences};
}
