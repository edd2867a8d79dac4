import {limitFaults, TooManyFaults} from '../../../sdk/errors/fault-limit.js';
import {FieldPath, invalidObject, type ApiObject, type FieldError, type JsonObject, type StrategyContext} from '../../../sdk/index.js';
import {equalJson} from '../../../sdk/values/equal-json.js';
import {finalizerWarnings} from '../../api/metadata/finalizers.js';
import {validateObjectMeta, validateObjectMetaUpdate, type MetadataRules} from '../../api/metadata/validate-object-meta.js';
import {cloneJson} from '../../api/json/clone-json.js';
import {convertToStored} from '../../api/types/convert.js';
import type {ResourceTypeVersion} from '../../api/types/resource-type.js';
import type {ServedVersion} from '../served-version.js';
import type {WriteContext} from '../request-context.js';
import {strategyContext, type WriteScope} from './write-scope.js';

const metadataPath = FieldPath.of('metadata');

/** Validates a new object. @throws 422 with all errors, or with the first ones found if there are very many */
export function validateNew(scope: WriteScope, object: ApiObject): Promise<void> {
  const {served, context} = scope;
  const {strategy} = served.type;
  warnOfFinalizers(served, object, undefined, context);
  return judge(served, object, async () => {
    const ofMetadata = validateObjectMeta(object.metadata, metadataRules(served), metadataPath);
    if (context.task.isDue) await context.task.yield();
    const judging = served.version.schema.validateInTurns(object as unknown as JsonObject, undefined, context.task);
    const ofSchema = judging instanceof Promise ? await judging : judging;
    if (context.task.isDue) await context.task.yield();
    const converting = judgedForm(served, object, ofSchema);
    const judged = converting instanceof Promise ? await converting : converting;
    if (!judged) return [...ofMetadata, ...ofSchema];
    const ofJudged =
      judged.object === object
        ? []
        : await judged.version.schema.validateInTurns(judged.object as unknown as JsonObject, undefined, context.task);
    const faults = [...ofSchema, ...notYetSaid(ofSchema, ofJudged)];
    if (!strategy?.validateCreate) return [...ofMetadata, ...faults];
    const validate = () => strategy.validateCreate!(judged.object, judgedContext(scope, judged));
    return [...ofMetadata, ...faults, ...notYetSaid(faults, await ofStrategy(validate, faults))];
  });
}

/** Validates a changed object. @throws 422 with all errors, or with the first ones found if there are very many */
export function validateChanged(scope: WriteScope, object: ApiObject, old: ApiObject): Promise<void> {
  const {served, context} = scope;
  const {strategy} = served.type;
  const {schema} = served.version;
  warnOfFinalizers(served, object, old, context);
  return judge(served, object, async () => {
    const faults = validateObjectMeta(object.metadata, metadataRules(served), metadataPath);
    faults.push(...validateObjectMetaUpdate(object.metadata, old.metadata, metadataPath));
    if (context.task.isDue) await context.task.yield();
    const write = {isStatus: scope.target.subresource === 'status', warn: (text: string) => context.warn(text)};
    const judging = schema.validateInTurns(object as unknown as JsonObject, old as unknown as JsonObject, context.task, write);
    const ofSchema = judging instanceof Promise ? await judging : judging;
    if (context.task.isDue) await context.task.yield();
    faults.push(...ofSchema, ...schema.validateUpdate(object as unknown as JsonObject, old as unknown as JsonObject));
    if (context.task.isDue) await context.task.yield();
    const converting = judgedForm(served, object, ofSchema);
    const judged = converting instanceof Promise ? await converting : converting;
    if (!judged) return faults;
    const before = judged.object === object ? old : await convertToStored(cloneJson(old), served.version);
    if (judged.object !== object) {
      const [after, previous] = [judged.object, before] as unknown as [JsonObject, JsonObject];
      const {schema: ofStored} = judged.version;
      const found = [
        ...(await ofStored.validateInTurns(after, previous, context.task, write)),
        ...ofStored.validateUpdate(after, previous),
      ];
      faults.push(...notYetSaid(faults, found));
    }
    if (!strategy?.validateUpdate) return faults;
    const validate = () => strategy.validateUpdate!(judged.object, before, judgedContext(scope, judged));
    return [...faults, ...notYetSaid(faults, await ofStrategy(validate, ofSchema))];
  });
}

/** An object in the version in which it is validated. */
interface Judged {
  readonly object: ApiObject;
  readonly version: ResourceTypeVersion;
}

/**
 * The version in which an object is validated: for types of plugins the storage version, so that a rule applies to every version that clients use.
 * Rules of definitions apply to their own version; strategies of typed schemas and of views know all of their versions.
 *
 * @returns undefined if it cannot be validated further because it does not have the shape of the schema
 */
function judgedForm(
  served: ServedVersion,
  object: ApiObject,
  faults: readonly FieldError[],
): Judged | undefined | Promise<Judged | undefined> {
  const {version, type} = served;
  const isTyped = version.schema.node.kubernetesSemantics;
  if (isTyped ? faults.length > 0 : faults.some(({reason}) => reason === 'FieldValueTypeInvalid')) return undefined;
  const isView = type.storageName !== type.qualifiedName;
  if (isTyped || isView || type.behaviour.validation === 'request' || type.origin === 'custom' || version === type.storageVersion)
    return {object, version};
  return storedForm(version, object, faults);
}

async function storedForm(version: ResourceTypeVersion, object: ApiObject, faults: readonly FieldError[]): Promise<Judged | undefined> {
  try {
    return {object: await convertToStored(cloneJson(object), version), version: version.type.storageVersion};
  } catch (error) {
    if (faults.length > 0) return undefined;
    throw error;
  }
}

function judgedContext(scope: WriteScope, {version}: Judged): StrategyContext {
  return {...strategyContext(scope), version: version.name};
}

/** The faults that a strategy finds. It relies on the schema, so it may throw for an object that the schema rejects anyway. */
async function ofStrategy(
  validate: () => FieldError[] | Promise<FieldError[]>,
  ofSchema: readonly FieldError[],
): Promise<readonly FieldError[]> {
  if (ofSchema.length === 0) return validate();
  try {
    return await validate();
  } catch (error) {
    if (TooManyFaults.is(error)) throw error;
    return [];
  }
}

/** The faults whose field and reason are not among the earlier ones. */
function notYetSaid(earlier: readonly FieldError[], found: readonly FieldError[]): readonly FieldError[] {
  if (found.length === 0 || earlier.length === 0) return found;
  const said = new Set(earlier.map(({field, reason}) => `${reason} ${field}`));
  return found.filter(({field, reason}) => !said.has(`${reason} ${field}`));
}

/** Runs a validation up to its limits. @throws 422 with the errors it finds */
async function judge(served: ServedVersion, {metadata}: ApiObject, validate: () => Promise<FieldError[]>): Promise<void> {
  const {kind, schema} = served.version;
  const inWords = (faults: readonly FieldError[]) => {
    const {wordsOfFault} = schema.node.behaviour;
    return wordsOfFault ? faults.map(wordsOfFault) : faults;
  };
  try {
    const faults = await limitFaults(validate);
    if (faults.length > 0) throw invalidObject(kind, metadata.name ?? '', inWords(faults));
  } catch (error) {
    throw TooManyFaults.is<FieldError>(error) ? invalidObject(kind, metadata.name ?? '', inWords(error.faults), true) : error;
  }
}

function metadataRules({type}: ServedVersion): MetadataRules {
  const {namespaced, behaviour, origin, standardFinalizers} = type;
  const areFree = origin === 'custom' || behaviour.unqualifiedFinalizers;
  return {namespaced, nameFormat: behaviour.nameFormat, standardFinalizers: areFree ? undefined : standardFinalizers};
}

function warnOfFinalizers({type}: ServedVersion, {metadata}: ApiObject, old: ApiObject | undefined, context: WriteContext): void {
  const {finalizers = []} = metadata;
  if (type.origin !== 'custom' || finalizers.length === 0) return;
  const path = metadataPath.child('finalizers');
  for (const warning of finalizerWarnings(finalizers, old?.metadata.finalizers ?? [], type.standardFinalizers, path)) context.warn(warning);
}

/** Whether anything changed that `metadata.generation` counts: everything except metadata and, if it is a subresource, status. */
export function specChanged(served: ServedVersion, object: ApiObject, old: ApiObject): boolean {
  const hasStatus = served.version.hasSubresource('status');
  const counts = (member: string) =>
    member !== 'metadata' && member !== 'apiVersion' && member !== 'kind' && !(hasStatus && member === 'status');
  for (const member of new Set([...Object.keys(object), ...Object.keys(old)])) {
    if (counts(member) && !equalJson(object[member] as never, old[member] as never)) return true;
  }
  return false;
}
