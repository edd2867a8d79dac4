import {isOvertaken, type Logger, type ResourceClient, type ResourceRef, secondTime} from '../../../sdk/index.js';
import type {FlowSchema, FlowSchemaCondition} from '../../../sdk/types/unchecked/flowcontrol.apiserver/v1beta3.js';

/** Maximum status updates of one schema per minute, so that servers that disagree do not fight forever. */
const mostUpdates = 6;
const minuteMillis = 60_000;

/** Reports in the status of flow schemas whether their priority levels exist (condition `Dangling`). */
export class DanglingConditions {
  readonly #updates = new Map<string, number[]>();
  readonly #resources: ResourceClient;
  readonly #ref: ResourceRef;
  readonly #logger: Logger;

  constructor(resources: ResourceClient, ref: ResourceRef, logger: Logger) {
    this.#resources = resources;
    this.#ref = ref;
    this.#logger = logger;
  }

  /** Updates the condition of a schema. Errors are logged; the next change, or the next minute, is another chance. */
  async settle(schema: FlowSchema, levelExists: boolean, now = Date.now()): Promise<void> {
    const name = schema.metadata.name!;
    const conditions = schema.status?.conditions ?? [];
    const present = conditions.find(({type}) => type === 'Dangling');
    const wanted = condition(schema.spec?.priorityLevelConfiguration?.name ?? '', levelExists);
    if (present?.status === wanted.status && present?.reason === wanted.reason && present?.message === wanted.message) return;
    if (!this.#mayUpdate(name, now)) return;
    const lastTransitionTime = secondTime(now);
    const others = conditions.filter(({type}) => type !== 'Dangling');
    const status = {...schema.status, conditions: [...others, {...wanted, lastTransitionTime}]};
    try {
      await this.#resources.update(this.#ref, '', {...schema, status}, 'status');
    } catch (error) {
      // Changed or deleted in the meantime: an event for that follows.
      if (isOvertaken(error)) return;
      this.#logger.warn({flowSchema: name, err: error}, 'the status of a flow schema could not be written');
    }
  }

  #mayUpdate(name: string, now: number): boolean {
    const recent = (this.#updates.get(name) ?? []).filter((time) => now - time < minuteMillis);
    const may = recent.length < mostUpdates;
    if (may) recent.push(now);
    this.#updates.set(name, recent);
    return may;
  }

  /** Forgets a deleted schema. */
  forget(name: string): void {
    this.#updates.delete(name);
  }
}

function condition(level: string, exists: boolean): FlowSchemaCondition {
  const about = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`;
  return exists
    ? {type: 'Dangling', status: 'False', reason: 'Found', message: `${about} and it exists`}
    : {type: 'Dangling', status: 'True', reason: 'NotFound', message: `${about} but there is no such object`};
}
