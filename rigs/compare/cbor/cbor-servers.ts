import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {startTestServer} from '@orch-api/orch/testing';
import {httpsClient} from '../../../test/helpers/https-client.js';
import {readKubeconfig} from '../../../test/helpers/kubeconfig.js';
import {projectRoot} from '../../../test/helpers/project-root.js';
import type {Teardown} from '../../../test/helpers/temp-folder.js';
import {asAdministrator, startRealServer, type Binaries} from '../real-server.js';
import {cborAnswers, type CborAnswer} from './cbor-answers.js';

/** The release whose answers are recorded: the gate is what it was in all that have it. */
export const cborRelease = '1.36';

const file = join(projectRoot(), `rigs/compare/recorded/cbor-${cborRelease}.json`);

export async function ownCborAnswers(t: Teardown): Promise<Record<string, CborAnswer>> {
  const server = await startTestServer({
    platform: 'kubernetes',
    release: cborRelease,
    controllers: ['flow-control'],
    enableTestingApi: false,
    featureGates: {CBORServingAndStorage: true},
    authorizationMode: ['AlwaysAllow'],
    disableAdmissionPlugins: ['ServiceAccount'],
    flags: {'allow-privileged': false},
  });
  t.teardown(() => server.stop());
  return cborAnswers(httpsClient(t, readKubeconfig(server.kubeconfig)), {});
}

export async function realCborAnswers(t: Teardown, binaries: Binaries): Promise<Record<string, CborAnswer>> {
  const client = await startRealServer(t, binaries, {'feature-gates': 'CBORServingAndStorage=true', 'runtime-config': ''});
  return cborAnswers(client, asAdministrator);
}

export function readCborAnswers(): Record<string, CborAnswer> {
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, CborAnswer>;
}

export function writeCborAnswers(answers: Readonly<Record<string, CborAnswer>>): void {
  writeFileSync(file, `${JSON.stringify(answers, undefined, 1)}\n`);
}
