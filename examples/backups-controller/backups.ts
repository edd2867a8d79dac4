import {isNotFound, type ApiObject} from '@orch-api/orch/sdk';
import {
  controllerReference,
  Reconciler,
  splitObjectKey,
  withCondition,
  type Condition,
  type ControllerParts,
} from '@orch-api/orch/sdk/controllers';

interface Backup extends ApiObject {
  spec: {source: string};
  status?: {copy?: string; conditions?: Condition[]};
}

const backups = {group: 'backups.example.com', version: 'v1', resource: 'backups'};
const configMaps = {group: '', version: 'v1', resource: 'configmaps'};
const done = {done: true} as const;

/** Copies the ConfigMap that a Backup names, once, into one that belongs to the Backup and goes with it. */
export function backupsController({resources, naming, logger}: ControllerParts): Reconciler {
  async function find<T>(ref: typeof backups, namespace: string, name: string): Promise<(ApiObject & T) | undefined> {
    return resources.get(ref, namespace, name).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    }) as Promise<(ApiObject & T) | undefined>;
  }

  async function reconcile(key: string) {
    const [namespace, name] = splitObjectKey(key);
    const backup = await find<Backup>(backups, namespace, name);
    if (!backup || backup.metadata.deletionTimestamp || backup.status?.copy) return done;
    const source = await find<{data?: object}>(configMaps, namespace, backup.spec.source);
    const copy = `${name}-copy`;
    if (source && !(await find(configMaps, namespace, copy))) {
      const metadata = {name: copy, ownerReferences: [controllerReference(backup)]};
      await resources.create(configMaps, namespace, {...source, metadata} as ApiObject);
    }
    const [status, reason] = source ? (['True', 'Copied'] as const) : (['False', 'NoSource'] as const);
    const conditions = withCondition(backup.status?.conditions ?? [], {type: 'Complete', status, reason, message: backup.spec.source});
    await resources.patch(backups, namespace, name, {status: {...(source ? {copy} : {}), conditions}}, 'status');
    return source ? done : {again: 1000};
  }

  return new Reconciler({resources, naming, logger, concurrency: 4, types: [{ref: backups}], reconcile});
}
