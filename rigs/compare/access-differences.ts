import {isDeepStrictEqual} from 'node:util';
import {readKubeconfig} from '../../test/helpers/kubeconfig.js';
import {httpsClient} from '../../test/helpers/https-client.js';
import type {Teardown} from '../../test/helpers/temp-folder.js';
import {startTestServer} from '../../testing/index.js';
import {accessAnswers} from './access-answers.js';
import {accessConfigurations} from './access-configurations.js';
import {ownFault} from './access-faults.js';
import {accessKnown} from './access-known.js';
import type {AccessRecord} from './access-record.js';
import {accessRequests} from './access-requests.js';

/** Something that a server of this project says differently. */
export interface AccessDifference {
  readonly asked: unknown;
  readonly real: unknown;
  readonly own: unknown;
  /** Why it stays; undefined if nobody knows. */
  readonly why: string | undefined;
}

/** Starts a server of this project, and holds what it says against a record. */
export async function accessDifferences(t: Teardown, release: string, record: AccessRecord): Promise<AccessDifference[]> {
  const found: Omit<AccessDifference, 'why'>[] = [];
  for (const [index, configuration] of accessConfigurations.entries()) {
    const own = (await ownFault(configuration, release)) ?? null;
    const real = record.faults[index] ?? null;
    if (own !== real) found.push({asked: configuration, real, own});
  }
  const server = await startTestServer({
    platform: 'kubernetes',
    release,
    authorizationMode: ['Node', 'RBAC'],
    controllers: ['flow-control'],
    disableAdmissionPlugins: ['ServiceAccount'],
    runtimeConfig: {'api/all': true},
  });
  t.teardown(() => server.stop());
  const answers = await accessAnswers(httpsClient(t, readKubeconfig(server.kubeconfig)), {});
  for (const [index, asked] of accessRequests.entries()) {
    const [own, real] = [answers[index]!, record.answers[index]!];
    if (!isDeepStrictEqual(own, real)) found.push({asked, real, own});
  }
  return found.map((one) => ({...one, why: accessKnown(one)}));
}
