import {
  inject,
  inTurns,
  strategy,
  Tokens,
  type DeleteDecision,
  type FeatureGates,
  type FieldError,
  type Interruptible,
  type Logger,
  type NamingProfile,
  type ResourceClient,
  type ResourceStrategy,
  type ResourceTypes,
  type Scheduler,
  type Schemas,
  type StrategyContext,
  type WebhookCaller,
} from '../../../sdk/index.js';
import {cleanupFinalizer, storageVersionOf, versionsOf, type CustomResourceDefinition} from './custom-resource-definition.js';
import {DefinitionService} from './serving/definition-service.js';
import {withFindings} from './serving/definition-status.js';
import {dropRules, hasRules} from './serving/without-rules.js';
import {definitionBehaviour} from './validation/definition-behaviour.js';
import {changedDefinitionFaults, newDefinitionFaults, statusFaults, type ValidationParts} from './validation/definition-faults.js';
import {unrecognizedFormats} from './validation/unrecognized-formats.js';

/**
 * CustomResourceDefinition (docs/semantics/custom-resources.md): defines a resource type that is served as long as the definition exists.
 * Definitions are served from server start, before the first request is answered, until the server stops.
 */
@strategy()
export class CustomResourceDefinitionStrategy implements ResourceStrategy<CustomResourceDefinition> {
  readonly #service: DefinitionService;
  readonly #schemas: Schemas;
  readonly #naming: NamingProfile;
  readonly #featureGates: FeatureGates;
  readonly #scheduler: Scheduler;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ResourceTypes) types: ResourceTypes,
    @inject(Tokens.Schemas) schemas: Schemas,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) featureGates: FeatureGates,
    @inject(Tokens.Webhooks) webhooks: WebhookCaller,
    @inject(Tokens.Scheduler) scheduler: Scheduler,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    this.#schemas = schemas;
    this.#naming = naming;
    this.#featureGates = featureGates;
    this.#scheduler = scheduler;
    const timeoutMillis = config['conversionTimeoutMilliseconds'] as number;
    this.#service = new DefinitionService(
      {resources, types, schemas, naming, featureGates, webhooks, timeoutMillis, logger},
      config['settleMilliseconds'] as number,
    );
  }

  applyDefaults(definition: CustomResourceDefinition): void {
    if (definition.status && !definition.status.storedVersions?.length) this.#addStorageVersion(definition);
    const {names} = definition.spec ?? {};
    if (!names?.kind) return;
    if (!names.singular) names.singular = names.kind.toLowerCase();
    if (!names.listKind) names.listKind = `${names.kind}List`;
  }

  prepareForCreate(definition: CustomResourceDefinition): void {
    definition.status = {conditions: [], acceptedNames: {plural: '', kind: ''}, storedVersions: []};
    this.#addStorageVersion(definition);
    dropEmptyWebhook(definition);
    if (!this.#takesRules()) dropRules(definition);
  }

  prepareForUpdate(definition: CustomResourceDefinition, old: CustomResourceDefinition, context: StrategyContext): void {
    if (context.subresource === 'status') return;
    this.#addStorageVersion(definition);
    dropEmptyWebhook(definition);
    // Rules stored while the feature was on may stay.
    if (!this.#takesRules() && !hasRules(old)) dropRules(definition);
  }

  async validateCreate(definition: CustomResourceDefinition, context: StrategyContext): Promise<FieldError[]> {
    await this.#schemas.prepare(hasRules(definition));
    this.#warnOfColumns(definition, context);
    const faults = await this.#judge(newDefinitionFaults(definition, this.#validationParts()));
    if (faults.length === 0) this.#warnOfFormats(definition, undefined, context);
    return faults;
  }

  async validateUpdate(
    definition: CustomResourceDefinition,
    old: CustomResourceDefinition,
    context: StrategyContext,
  ): Promise<FieldError[]> {
    if (context.subresource === 'status') return statusFaults(definition);
    // It must be possible to remove finalizers from a definition being deleted, whatever errors it has.
    if (definition.metadata.generation === old.metadata.generation && old.metadata.deletionTimestamp) return [];
    await this.#schemas.prepare(hasRules(definition));
    this.#warnOfColumns(definition, context);
    const faults = await this.#judge(changedDefinitionFaults(definition, old, this.#validationParts()));
    if (faults.length === 0) this.#warnOfFormats(definition, old, context);
    return faults;
  }

  /** A definition is kept until its objects have been deleted. */
  beforeDelete(definition: CustomResourceDefinition, _gracePeriodSeconds: number | undefined, {now}: StrategyContext): DeleteDecision {
    const {metadata, status} = definition;
    if (metadata.deletionTimestamp) return {action: 'remove'};
    const finalizer = this.#naming.group(cleanupFinalizer);
    const finalizers = metadata.finalizers ?? [];
    if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer];
    const message = 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon';
    const finding = {type: 'Terminating', status: 'True', reason: 'InstanceDeletionPending', message} as const;
    definition.status = {...status, conditions: withFindings(status?.conditions ?? [], [finding], now)};
    return {action: 'terminate'};
  }

  start(signal: AbortSignal): Promise<void> {
    return this.#service.start(signal);
  }

  stop(): Promise<void> {
    return this.#service.stop();
  }

  #judge(work: Interruptible<FieldError[]>): Promise<FieldError[]> {
    return inTurns(work, this.#scheduler.task('request', 'validation of a definition'));
  }

  #validationParts(): ValidationParts {
    return {naming: this.#naming, schemas: this.#schemas, behaviour: definitionBehaviour(this.#featureGates)};
  }

  #takesRules(): boolean {
    return this.#featureGates.enabled('CustomResourceValidationExpressions');
  }

  #addStorageVersion(definition: CustomResourceDefinition): void {
    const storage = storageVersionOf(definition);
    const stored = definition.status?.storedVersions ?? [];
    if (storage === undefined || stored.includes(storage)) return;
    definition.status = {...definition.status, storedVersions: [...stored, storage]};
  }

  #warnOfFormats(definition: CustomResourceDefinition, old: CustomResourceDefinition | undefined, context: StrategyContext): void {
    const behaviour = definitionBehaviour(this.#featureGates);
    if (!behaviour.warnsOfFormats) return;
    const known = old && unrecognizedFormats(old, this.#schemas, behaviour);
    for (const format of unrecognizedFormats(definition, this.#schemas, behaviour))
      if (!known?.has(format)) context.warn(`unrecognized format ${JSON.stringify(format)}`);
  }

  /** Kubernetes accepts a column with an invalid path and omits it from tables; here there is also a warning. */
  #warnOfColumns(definition: CustomResourceDefinition, context: StrategyContext): void {
    versionsOf(definition).forEach(({additionalPrinterColumns}, version) =>
      additionalPrinterColumns?.forEach(({jsonPath}, position) => {
        const fault = jsonPath.startsWith('.') ? this.#schemas.jsonPathFault(jsonPath) : undefined;
        if (fault)
          context.warn(`spec.versions[${version}].additionalPrinterColumns[${position}].jsonPath: the column is left out: ${fault}`);
      }),
    );
  }
}

/** A conversion with a webhook of which nothing is said has none: Kubernetes has no other form for it. */
function dropEmptyWebhook({spec: {conversion}}: CustomResourceDefinition): void {
  const webhook = conversion?.webhook;
  if (webhook && !webhook.clientConfig && !webhook.conversionReviewVersions) delete conversion.webhook;
}
