import {
  FieldPath,
  humanDuration,
  inject,
  invalid,
  strategy,
  Tokens,
  type FeatureGates,
  type FieldError,
  type NamingProfile,
  type ObjectMeta,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {selectorOptions, selectorText} from '../../../sdk/labels/index.js';
import {isGiven, validateImmutable} from '../../../sdk/validation/index.js';
import type {Job, JobSpec, JobStatus} from '../../../sdk/types/unchecked/batch/v1.js';
import {hostNameWarnings} from '../../families/pods/pod-warnings.js';
import {applyPodTemplateDefaults} from '../../families/pods/pod-template.js';
import {templateCells} from '../../families/workloads/template-cells.js';
import {TemplateOwner} from '../../families/workloads/template-owner.js';
import {validateIndexedName, validateJobSelector, validateJobSpec} from './job-faults.js';
import {generateSelector, jobLabels, labelWithName, validateGeneratedSelector, type JobLabels} from './job-selector.js';
import {validateJobStatus} from './job-status-faults.js';
import {applyPodFailurePolicyDefaults} from './pod-failure-policy-faults.js';
import {warnOfSize} from './job-size.js';
import {validateTemplateChange} from './job-template-change.js';

const specPath = FieldPath.of('spec');
const templatePath = specPath.child('template');
const immutable = ['selector', 'completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'] as const;

/** No limit for the job as a whole: its indexes have one each. */
const maximumBackoff = 2 ** 31 - 1;

/** Job: runs pods until enough of them have succeeded. */
@strategy()
export class JobStrategy implements ResourceStrategy<Job> {
  /** Shows controllers that the job's pods have a finalizer until they are counted. */
  readonly #trackingAnnotation: string;
  readonly #templates: TemplateOwner;
  readonly #naming: NamingProfile;

  constructor(@inject(TemplateOwner) templates: TemplateOwner, @inject(Tokens.Naming) naming: NamingProfile) {
    this.#templates = templates;
    this.#trackingAnnotation = naming.key('batch.orch/job-tracking');
    this.#naming = naming;
  }

  applyDefaults({metadata, spec}: Job): void {
    if (!spec) return;
    if (!isGiven(spec.completions) && !isGiven(spec.parallelism)) spec.completions = 1;
    spec.parallelism ??= 1;
    spec.backoffLimit ??= isGiven(spec.backoffLimitPerIndex) ? maximumBackoff : 6;
    spec.completionMode ??= 'NonIndexed';
    spec.suspend ??= false;
    if (this.#templates.gates.enabled('JobPodReplacementPolicy'))
      spec.podReplacementPolicy ??= spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed';
    applyPodFailurePolicyDefaults(spec.podFailurePolicy);
    // This default came with this feature.
    if (this.#templates.gates.enabled('JobPodReplacementPolicy')) spec.manualSelector ??= false;
    const labels = spec.template?.metadata?.labels;
    // The same map: what is generated for the template later becomes a label of the job, as in Kubernetes.
    if (labels && Object.keys(labels).length > 0 && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = labels;
    applyPodTemplateDefaults(spec.template);
  }

  prepareForCreate(object: Job, context: StrategyContext): void {
    for (const text of hostNameWarnings(object.metadata.name)) context.warn(text);
    this.#dropDisabledFields(object.spec, undefined, context);
    generateSelector(object, jobLabels(this.#naming, this.#isTracked));
    if (!this.#isTracked) this.#track(object);
  }

  prepareForUpdate(object: Job, old: Job, context: StrategyContext): void {
    this.#dropDisabledFields(object.spec, old.spec, context);
    if (this.#isTracked) return;
    // Pods of a job created without it have no finalizer, so it cannot be added later.
    if (old.metadata.annotations?.[this.#trackingAnnotation] !== undefined) this.#track(object);
    else untrack(object.metadata, this.#trackingAnnotation);
  }

  validateCreate(object: Job): FieldError[] {
    const {metadata, spec = {}} = object;
    return [
      ...validateGeneratedSelector(object, Boolean(metadata.generateName), jobLabels(this.#naming, this.#isTracked)),
      ...validateJobSpec(spec, specPath, this.#templates.gates),
      ...validateJobSelector(spec, {}),
      ...this.#templates.validate(spec.template, templatePath),
      ...validateIndexedName(object),
    ];
  }

  validateUpdate(object: Job, old: Job, {subresource}: StrategyContext): FieldError[] {
    const {gates} = this.#templates;
    if (subresource === 'status') return validateJobStatus(object, old, gates);
    const {spec = {}} = object;
    const {spec: oldSpec = {}} = old;
    return [
      ...validateGeneratedSelector(object, false, labelsOf(old, this.#naming)),
      ...validateJobSpec(spec, specPath, this.#templates.gates),
      ...validateJobSelector(spec, selectorOptions(oldSpec.selector)),
      ...this.#templates.validate(spec.template, templatePath, oldSpec.template),
      ...validateCompletionsChange(spec, oldSpec, gates),
      ...immutable.flatMap((member) => validateImmutable(spec[member], oldSpec[member], specPath.child(member))),
      ...validateTemplateChange(object, old, gates),
    ];
  }

  canonicalize(object: Job): void {
    labelWithName(object, jobLabels(this.#naming, true));
  }

  selectableFields({status}: Job): Record<string, string> {
    return {'status.successful': String(status?.succeeded ?? 0)};
  }

  tableCells({metadata, spec = {}, status = {}}: Job, now: Date): Record<string, string> {
    return {
      Status: stateText(metadata, status),
      Completions: completionsText(spec, status),
      Duration: durationText(status, now),
      ...templateCells(spec.template),
      Selector: selectorText(spec.selector),
    };
  }

  /** Whether pods of all jobs are counted by finalizers, so that no annotation says it. Came with this feature, as labels with a domain did. */
  get #isTracked(): boolean {
    return this.#templates.gates.enabled('ElasticIndexedJob');
  }

  #track({metadata}: Job): void {
    metadata.annotations = {...metadata.annotations, [this.#trackingAnnotation]: ''};
  }

  #dropDisabledFields(spec: JobSpec | undefined, old: JobSpec | undefined, context: StrategyContext): void {
    if (!spec) return;
    if (context.subresource === '') warnOfSize(spec, old, specPath, context);
    this.#templates.prepare(spec.template, old?.template, templatePath, context);
    if (spec.podFailurePolicy && !old?.podFailurePolicy && !this.#templates.gates.enabled('JobPodFailurePolicy'))
      delete spec.podFailurePolicy;
  }
}

/** An indexed job can be made larger or smaller together with its parallelism. */
function validateCompletionsChange(spec: JobSpec, old: JobSpec, gates: FeatureGates): FieldError[] {
  const path = specPath.child('completions');
  if (spec.completionMode !== 'Indexed' || !gates.enabled('ElasticIndexedJob'))
    return validateImmutable(spec.completions, old.completions, path);
  if (!isGiven(spec.completions) || spec.completions === old.completions || spec.completions === spec.parallelism) return [];
  return [invalid(path, spec.completions, `can only be modified in tandem with ${specPath.child('parallelism').toString()}`)];
}

/** The labels that a stored job was made with. */
function labelsOf({spec}: Job, naming: NamingProfile): JobLabels {
  const all = jobLabels(naming, true);
  const labels = spec?.template?.metadata?.labels ?? {};
  return all.every(({uid, name}) => Object.hasOwn(labels, uid) && Object.hasOwn(labels, name)) ? all : jobLabels(naming, false);
}

function untrack(metadata: ObjectMeta, annotation: string): void {
  const {[annotation]: dropped, ...rest} = metadata.annotations ?? {};
  if (dropped === undefined) return;
  if (Object.keys(rest).length > 0) metadata.annotations = rest;
  else delete metadata.annotations;
}

/** The states that conditions stand for, in the order in which they count. */
const endings = ['Complete', 'Failed'] as const;
const others = ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'] as const;

function stateText({deletionTimestamp}: ObjectMeta, {conditions}: JobStatus): string {
  const holds = (type: string) => conditions?.some((condition) => condition.type === type && condition.status === 'True');
  return endings.find(holds) ?? (deletionTimestamp ? 'Terminating' : (others.find(holds) ?? 'Running'));
}

function completionsText({completions, parallelism}: JobSpec, {succeeded = 0}: JobStatus): string {
  if (isGiven(completions)) return `${succeeded}/${completions}`;
  return (parallelism ?? 0) > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationText({startTime, completionTime}: JobStatus, now: Date): string {
  if (!startTime) return '';
  const end = completionTime ? Date.parse(completionTime) : now.getTime();
  return humanDuration(end - Date.parse(startTime));
}
