import {secondTime, type NamingProfile, type ResourceClient, type ResourceRef, type ServedResource} from '../../../sdk/index.js';
import type {MigrationCondition, StorageVersionMigration as Alpha} from '../../../sdk/types/unchecked/storagemigration/v1alpha1.js';
import type {StorageVersionMigration} from '../../../sdk/types/unchecked/storagemigration/v1beta1.js';

/** A migration in either version: the older one names the version of the type too, and its conditions have a time of another name. */
export type Migration = StorageVersionMigration & Alpha;
export type ConditionType = 'Running' | 'Succeeded' | 'Failed';

const group = 'storagemigration.orch';
const resource = 'storageversionmigrations';
/** Best first. */
const versions = ['v1beta1', 'v1alpha1'];

/** The type of migrations in the best version that is served; undefined if none is. */
export function migrationRef(resources: Pick<ResourceClient, 'resources'>, naming: Pick<NamingProfile, 'group'>): ResourceRef | undefined {
  const served = resources.resources().filter((type) => type.group === naming.group(group) && type.resource === resource);
  const version = versions.find((name) => served.some((type) => type.version === name));
  return version === undefined ? undefined : {group, version, resource};
}

/** Names the type that a migration is about, as `orders.shop.example`. */
export function typeKey({spec}: Migration): string {
  const {group: name = '', resource: plural = ''} = spec?.resource ?? {};
  return `${plural}.${name}`;
}

/** The type that a migration is about, in the version that it names or the preferred one; undefined if it is not served. */
export function migratedType({spec}: Migration, resources: Pick<ResourceClient, 'resources'>): ServedResource | undefined {
  const {group: name = '', resource: plural = '', version} = (spec?.resource ?? {}) as NonNullable<NonNullable<Alpha['spec']>['resource']>;
  return resources
    .resources()
    .find(
      (type) => type.group === name && type.resource === plural && (version === undefined || version === '' || type.version === version),
    );
}

export function isTrue(migration: Migration, type: ConditionType): boolean {
  return conditionOf(migration, type)?.status === 'True';
}

/** Whether it has ended, well or not. */
export function isOver(migration: Migration): boolean {
  return isTrue(migration, 'Succeeded') || isTrue(migration, 'Failed');
}

function conditionOf({status}: Migration, type: ConditionType): MigrationCondition | undefined {
  return (status?.conditions as MigrationCondition[] | undefined)?.find((condition) => condition.type === type);
}

/** What a condition says, without its time. */
export interface Said {
  readonly type: ConditionType;
  readonly status?: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** The migration with a condition; one that it has keeps its time unless its status changes. @param version of the migration's type */
export function withSaid(migration: Migration, said: Said, version: string, now: number): Migration {
  const {type, status = 'True', reason, message} = said;
  const before = conditionOf(migration, type);
  const time = secondTime(now);
  const timeMember = version === 'v1alpha1' ? 'lastUpdateTime' : 'lastTransitionTime';
  const timeBefore = before?.status === status ? (before as Record<string, unknown>)[timeMember] : undefined;
  const condition = {...before, type, status, reason, message, [timeMember]: timeBefore ?? time};
  const all = (migration.status?.conditions ?? []) as MigrationCondition[];
  const conditions = before ? all.map((each) => (each === before ? condition : each)) : [...all, condition];
  return {...migration, status: {...migration.status, conditions}} as Migration;
}
