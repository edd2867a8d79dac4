import type {ReplicaSet} from '../../../sdk/types/unchecked/apps/v1.js';
import type {DeploymentWrites} from './deployment-writes.js';
import {allSets, syncRevision} from './find-sets.js';
import {sameTemplate, withoutHash} from './pod-template.js';
import {readRevision} from './revisions.js';

/** The revision that a Deployment's annotation asks it to go back to: 0 for the one before; undefined if it asks for none. */
export function wantedRollback({deployment, parts}: DeploymentWrites): bigint | undefined {
  const text = deployment.metadata.annotations?.[parts.annotations.rollbackTo] ?? '';
  return readRevision(text);
}

/** Goes back to a revision, whose template and annotations the Deployment gets, and removes the request for it. */
export async function rollBack(writes: DeploymentWrites, all: readonly ReplicaSet[], wanted: bigint): Promise<void> {
  const {deployment, parts} = writes;
  const {annotations} = parts;
  const sets = allSets(await syncRevision(writes, all, true));
  const revision = wanted === 0n ? annotations.last(sets) : wanted;
  const target = revision === 0n ? undefined : sets.find((set) => annotations.revisionOf(set) === revision);
  const name = deployment.metadata.name;
  let done = '';
  if (!target) {
    const what = revision === 0n ? 'Unable to find last revision.' : 'Unable to find the revision to rollback to.';
    writes.event('Warning', 'DeploymentRollbackRevisionNotFound', what);
  } else if (sameTemplate(deployment.spec?.template, target.spec?.template)) {
    const what = `The rollback revision contains the same template as current deployment "${name}"`;
    writes.event('Warning', 'DeploymentRollbackTemplateUnchanged', what);
  } else {
    deployment.spec = {...deployment.spec, template: structuredClone(withoutHash(target.spec?.template))};
    deployment.metadata = {...deployment.metadata, annotations: annotations.restored(deployment, target)};
    done = `Rolled back deployment "${name}" to revision ${revision}`;
  }
  const {[annotations.rollbackTo]: _request, ...others} = deployment.metadata.annotations ?? {};
  deployment.metadata = {...deployment.metadata, annotations: others};
  await writes.save();
  if (done !== '') writes.event('Normal', 'DeploymentRollback', done);
}
