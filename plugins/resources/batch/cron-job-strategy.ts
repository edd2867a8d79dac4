import {age, FieldPath, inject, strategy, type FieldError, type ResourceStrategy, type StrategyContext} from '../../../sdk/index.js';
import {selectorText} from '../../../sdk/labels/index.js';
import {isGiven} from '../../../sdk/validation/index.js';
import type {CronJob, CronJobSpec} from '../../../sdk/types/unchecked/batch/v1.js';
import {hostNameWarnings} from '../../families/pods/pod-warnings.js';
import {applyPodTemplateDefaults} from '../../families/pods/pod-template.js';
import {templateCells} from '../../families/workloads/template-cells.js';
import {TemplateOwner} from '../../families/workloads/template-owner.js';
import {namesZone, validateCronJobName, validateCronJobSpec} from './cron-job-faults.js';
import {applyPodFailurePolicyDefaults} from './pod-failure-policy-faults.js';
import {warnOfSize} from './job-size.js';

const templatePath = FieldPath.of('spec', 'jobTemplate', 'spec', 'template');

/** CronJob: creates jobs on a schedule. */
@strategy()
export class CronJobStrategy implements ResourceStrategy<CronJob> {
  readonly #templates: TemplateOwner;

  constructor(@inject(TemplateOwner) templates: TemplateOwner) {
    this.#templates = templates;
  }

  applyDefaults({spec}: CronJob): void {
    const job = spec?.jobTemplate?.spec;
    applyPodFailurePolicyDefaults(job?.podFailurePolicy);
    applyPodTemplateDefaults(job?.template);
  }

  prepareForCreate({metadata, spec}: CronJob, context: StrategyContext): void {
    for (const text of hostNameWarnings(metadata.name)) context.warn(text);
    this.#dropDisabledFields(spec, undefined, context);
    warnOfZone(spec, context);
  }

  prepareForUpdate({spec}: CronJob, old: CronJob, context: StrategyContext): void {
    this.#dropDisabledFields(spec, old.spec, context);
    if (context.subresource === '') warnOfZone(spec, context);
  }

  validateCreate(object: CronJob): FieldError[] {
    return [...validateCronJobName(object.metadata.name ?? ''), ...this.#specFaults(object, undefined)];
  }

  validateUpdate(object: CronJob, old: CronJob, {subresource}: StrategyContext): FieldError[] {
    return subresource === 'status' ? [] : this.#specFaults(object, old.spec);
  }

  tableCells({spec = {}, status = {}}: CronJob, now: Date): Record<string, string | number> {
    const job = spec.jobTemplate?.spec;
    return {
      Schedule: spec.schedule ?? '',
      Timezone: spec.timeZone ?? '<none>',
      Suspend: isGiven(spec.suspend) ? (spec.suspend ? 'True' : 'False') : '<unset>',
      Active: status.active?.length ?? 0,
      'Last Schedule': status.lastScheduleTime ? age(status.lastScheduleTime, now) : '<none>',
      ...templateCells(job?.template),
      Selector: selectorText(job?.selector),
    };
  }

  #specFaults({spec = {}}: CronJob, old: CronJobSpec | undefined): FieldError[] {
    return [
      ...validateCronJobSpec(spec, old, this.#templates.gates),
      ...this.#templates.validate(spec.jobTemplate?.spec?.template, templatePath, old?.jobTemplate?.spec?.template),
    ];
  }

  #dropDisabledFields(spec: CronJobSpec | undefined, old: CronJobSpec | undefined, context: StrategyContext): void {
    if (!spec) return;
    const job = spec.jobTemplate?.spec;
    const oldJob = old?.jobTemplate?.spec;
    if (job && context.subresource === '') warnOfSize(job, oldJob, FieldPath.of('spec', 'jobTemplate', 'spec'), context);
    this.#templates.prepare(job?.template, oldJob?.template, templatePath, context);
    if (isGiven(spec.timeZone) && !isGiven(old?.timeZone) && !this.#templates.gates.enabled('CronJobTimeZone')) delete spec.timeZone;
    if (job?.podFailurePolicy && !oldJob?.podFailurePolicy && !this.#templates.gates.enabled('JobPodFailurePolicy'))
      delete job.podFailurePolicy;
  }
}

function warnOfZone(spec: CronJobSpec | undefined, context: StrategyContext): void {
  if (namesZone(spec?.schedule ?? ''))
    context.warn('CRON_TZ or TZ used in spec.schedule is not officially supported, use spec.timeZone instead');
}
